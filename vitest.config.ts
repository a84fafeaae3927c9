import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // These need PostgreSQL and Redis, or Docker: `npm run test:services` and test/image/compose.sh start them.
    exclude: ['test/services/**', 'test/image/**'],
    // More workers than this gain nothing on two cores and cost memory. Files of a worker share the modules that they
    // import, which halves the time of the run: no module of ours keeps state between worlds.
    maxWorkers: 2,
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // A test that passes only now and then is a defect, so nothing is tried twice.
    retry: 0,
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reporter: ['text-summary', 'html'] },
  },
})
