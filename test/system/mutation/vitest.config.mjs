import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { areas } from './areas.mjs'

export default defineConfig({
  test: { include: areas[process.env.AREA].tests, testTimeout: 20_000, maxWorkers: 1, isolate: false },
})
