import { defineConfig } from 'vitest/config'
import common from '../../../vitest.config.ts'

/** Uses every change with twenty seeds. `npm test` uses only a few of them with one seed. */
const seeds = Array.from({ length: 20 }, (_, i) => `vendor-${i}`)

// biome-ignore lint/style/noDefaultExport: vitest requires a default export
export default defineConfig({
  ...common,
  test: { ...common.test, include: ['test/tools/compare/*.test.ts'], env: { COMPARED_SEEDS: seeds.join() } },
})
