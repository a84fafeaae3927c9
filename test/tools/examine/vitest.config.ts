import { defineConfig } from 'vitest/config'
import common from '../../../vitest.config.ts'

/**
 * Ten seeds, one of which looks like an option: what `npm test` does for one. Clients mostly wait, so many run at once.
 */
const seeds = ['matrix', 'a', 'b', 'c', '7f', '-_v7-_v7', 'clients', '2026', 'Ärger', '0']

// biome-ignore lint/style/noDefaultExport: vitest asks for one
export default defineConfig({
  ...common,
  test: {
    ...common.test,
    include: ['test/tools/examine/*.test.ts'],
    maxConcurrency: 16,
    env: { EXAMINED_SEEDS: seeds.join() },
  },
})
