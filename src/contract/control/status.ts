import { defineOperations, noContent } from '../operation.ts'
import { status } from '../records/control/status.ts'
import { controlRoutes } from './routes.ts'

export const statusOperations = defineOperations(
  { scope: 'control', tag: 'Status' },
  {
    readStatus: {
      route: controlRoutes.readStatus,
      summary: 'What runs, and how the world stands',
      reply: status,
    },
    reset: {
      route: controlRoutes.reset,
      summary: 'The world as it was at its start; live streams end',
      reply: noContent,
    },
  },
)
