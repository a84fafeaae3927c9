import { coverage } from '../records/control/coverage.ts'
import { defineControl } from './define.ts'

export const coverageOperations = defineControl('Coverage', {
  getCoverage: {
    summary: 'What of the vendor the journal has met since the start or the last reset, and what would meet the rest',
    reply: coverage,
  },
})
