import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest requires a default export
export default defineConfig({
  test: {
    include: ['test/system/console/**/*.test.ts'],
    globalSetup: 'test/helpers/build.ts',
    // In each worker, all files share one browser.
    maxWorkers: 2,
    isolate: false,
    expect: { poll: { interval: 20, timeout: 30_000 } },
    // This timeout is long, because Playwright has its own timeouts and reports what it waited for.
    testTimeout: 180_000,
    hookTimeout: 60_000,
    retry: 0,
  },
})
