import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest asks for one
export default defineConfig({
  test: {
    include: ['test/system/console/**/*.test.ts'],
    globalSetup: 'test/helpers/build.ts',
    // One browser a worker, for all its files.
    maxWorkers: 2,
    isolate: false,
    expect: { poll: { interval: 20, timeout: 30_000 } },
    // Playwright waits for the page, and reports what it waited for.
    testTimeout: 180_000,
    hookTimeout: 60_000,
    retry: 0,
  },
})
