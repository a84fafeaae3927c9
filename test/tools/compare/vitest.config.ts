import { defineConfig } from 'vitest/config'
import common from '../../../vitest.config.ts'

/** Every configuration with twenty seeds. `npm test` does this for a few with one. */
const seeds = Array.from({ length: 20 }, (_, i) => `vendor-${i}`)

// biome-ignore lint/style/noDefaultExport: vitest asks for one
export default defineConfig({
  ...common,
  test: { ...common.test, include: ['test/tools/compare/*.test.ts'], env: { COMPARED_SEEDS: seeds.join() } },
})
