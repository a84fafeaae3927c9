import process from 'node:process'
import { areas } from './areas.mjs'

export default {
  mutate: areas[process.env.AREA].mutate,
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/system/mutation/vitest.config.mjs' },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  reporters: ['clear-text'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  timeoutMS: 20_000,
  thresholds: { high: 90, low: 80, break: 80 },
}
