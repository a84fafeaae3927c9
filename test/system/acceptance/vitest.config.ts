import { defineConfig } from 'vitest/config'

// `npm run acceptance` tests BASE_URL, or a server that it starts from the sources. See server.ts.
// biome-ignore lint/style/noDefaultExport: vitest requires a default export
export default defineConfig({
  test: {
    include: ['test/system/acceptance/**/*.test.ts'],
    globalSetup: 'test/helpers/build.ts',
    // Vite sets its own BASE_URL, which hides the original value.
    env: {
      ACCEPTANCE_URL: process.env['BASE_URL'] ?? '',
      ACCEPTANCE_TABLE: 'printed',
      ACCEPTANCE_WORLDS: process.env['ACCEPTANCE_WORLDS'] ?? '100',
    },
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    retry: 0,
  },
})
