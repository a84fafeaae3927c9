import { defineConfig } from 'vitest/config'

// `npm run acceptance`: against BASE_URL, or a server of the sources that it starts. See server.ts.
// biome-ignore lint/style/noDefaultExport: vitest asks for one
export default defineConfig({
  test: {
    include: ['test/system/acceptance/**/*.test.ts'],
    globalSetup: 'test/helpers/build.ts',
    // Vite gives BASE_URL a meaning of its own, which hides what was given.
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
