import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest requires a default export
export default defineConfig({
  test: {
    include: ['test/system/{programs,libraries,pact,workflows}/**/*.test.ts'],
    globalSetup: 'test/helpers/build.ts',
    maxWorkers: 2,
    isolate: false,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    retry: 0,
  },
})
