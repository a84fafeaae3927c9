import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest asks for one
export default defineConfig({
  test: {
    include: ['test/services/**/*.test.ts'],
    globalSetup: 'test/helpers/build.ts',
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    retry: 0,
  },
})
