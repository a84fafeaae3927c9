import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest requires a default export
export default defineConfig({
  test: {
    include: ['test/system/services/**/*.test.ts'],
    globalSetup: 'test/helpers/build.ts',
    maxWorkers: 1,
    // On an idle machine, most conditions are already met at the first check.
    expect: { poll: { interval: 50, timeout: 30_000 } },
    testTimeout: 300_000,
    hookTimeout: 120_000,
    retry: 0,
  },
})
