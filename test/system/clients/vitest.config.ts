import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest requires a default export
export default defineConfig({
  test: {
    include: ['test/system/clients/**/*.test.ts'],
    // An examination mostly waits, so running several in parallel costs little.
    maxWorkers: 1,
    maxConcurrency: 3,
    testTimeout: 240_000,
    hookTimeout: 120_000,
    retry: 0,
  },
})
