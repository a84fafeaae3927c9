import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest requires a default export
export default defineConfig({
  test: {
    include: ['test/system/package/*.test.ts'],
    globalSetup: ['test/helpers/build.ts', 'test/system/package/pack.ts'],
    maxWorkers: 2,
    maxConcurrency: 2,
    isolate: false,
    testTimeout: 600_000,
    hookTimeout: 240_000,
    retry: 0,
  },
})
