import process from 'node:process'
import { defineConfig } from 'vitest/config'
import common from '../../../vitest.config.ts'

/**
 * Uses the seeds in EXAMINED_SEEDS, or else ten seeds, one of which looks like an option. Clients mostly wait, so many
 * of them run in parallel.
 */
const seeds = ['matrix', 'a', 'b', 'c', '7f', '-_v7-_v7', 'clients', '2026', 'Ärger', '0']

// biome-ignore lint/style/noDefaultExport: vitest requires a default export
export default defineConfig({
  ...common,
  test: {
    ...common.test,
    include: ['test/tools/examine/{matrix,probes}.test.ts', 'test/cli/examine/*.test.ts'],
    exclude: [],
    maxConcurrency: 16,
    env: { EXAMINED_SEEDS: process.env['EXAMINED_SEEDS'] ?? seeds.join() },
  },
})
