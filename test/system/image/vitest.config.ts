import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest requires a default export
export default defineConfig({
  test: {
    include: ['test/system/image/**/*.test.ts'],
    // All files use the same containers.
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    retry: 0,
  },
})
