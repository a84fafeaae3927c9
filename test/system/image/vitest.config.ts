import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest asks for one
export default defineConfig({
  test: {
    include: ['test/system/image/**/*.test.ts'],
    // All of them use one composition.
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    retry: 0,
  },
})
