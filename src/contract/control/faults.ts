import { z } from 'zod'
import { defineOperations, noContent } from '../operation.ts'
import { fault, faultDraft, faultPage, profileNames } from '../records/control/fault.ts'
import { controlRoutes } from './routes.ts'

export const faultOperations = defineOperations(
  { scope: 'control', tag: 'Faults' },
  {
    addFault: {
      route: controlRoutes.addFault,
      summary: "Provoke a failure, in the document's own dialect; this instance only",
      body: faultDraft,
      reply: fault,
      further: [400],
    },
    addFaultProfile: {
      route: controlRoutes.addFaultProfile,
      summary: 'Add the faults of a ready-made profile',
      params: z.object({ name: z.enum(profileNames).meta({ example: 'flaky' }) }),
      reply: faultPage,
      further: [400],
    },
    listFaults: {
      route: controlRoutes.listFaults,
      reply: faultPage,
    },
    clearFaults: {
      route: controlRoutes.clearFaults,
      summary: 'No more failures',
      reply: noContent,
    },
    deleteFault: {
      route: controlRoutes.deleteFault,
      params: z.object({ faultId: z.string() }),
      reply: noContent,
      further: [404],
    },
  },
)
