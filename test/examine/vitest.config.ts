import { defineConfig } from 'vitest/config'
import common from '../../vitest.config.ts'

/** Ten seeds, one of which looks like an option: what `npm test` does for one. */
const seeds = ['matrix', 'a', 'b', 'c', '7f', '-_v7-_v7', 'clients', '2026', 'Ärger', '0']

// biome-ignore lint/style/noDefaultExport: vitest asks for one
export default defineConfig({
  ...common,
  test: { ...common.test, include: ['test/examine/*.test.ts'], env: { EXAMINED_SEEDS: seeds.join() } },
})
