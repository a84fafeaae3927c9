import { defineOperations } from '../operation.ts'
import { coverage } from '../records/control/coverage.ts'
import { controlRoutes } from './routes.ts'

export const coverageOperations = defineOperations(
  { scope: 'control', tag: 'Coverage' },
  {
    getCoverage: {
      route: controlRoutes.getCoverage,
      summary: 'What of the vendor the journal has met since the start or the last reset, and what would meet the rest',
      reply: coverage,
    },
  },
)
