import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest requires a default export
export default defineConfig({
  test: {
    include: [
      'test/system/{endurance,reliability}/**/*.test.ts',
      'test/tools/cases/shrink.test.ts',
      'test/server/http/variation.test.ts',
    ],
    globalSetup: 'test/helpers/build.ts',
    env: { VARIED_SEEDS: '1000' },
    maxWorkers: 2,
    // Tests that measure the heap of their process must not share it with other files.
    isolate: true,
    testTimeout: 600_000,
    hookTimeout: 60_000,
    retry: 0,
  },
})
