import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest asks for one
export default defineConfig({
  test: {
    include: ['test/system/clients/**/*.test.ts'],
    // An examination mostly waits, so several at a time are cheap.
    maxWorkers: 1,
    maxConcurrency: 3,
    testTimeout: 240_000,
    hookTimeout: 120_000,
    retry: 0,
  },
})
