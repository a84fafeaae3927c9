import { z } from 'zod'
import { defineOperations, noContent } from '../operation.ts'
import { worldDraft, worldPage, worldSummary } from '../records/control/world.ts'
import { controlRoutes } from './routes.ts'

const params = z.object({ name: z.string() })

export const worldOperations = defineOperations(
  { scope: 'control', tag: 'Worlds' },
  {
    createWorld: {
      route: controlRoutes.createWorld,
      summary:
        'Make a world of its own, from fixtures or as a fork of another: records, clock, ids, faults, journal, outbox',
      body: worldDraft,
      reply: worldSummary,
      further: [400, 404, 409],
    },
    listWorlds: {
      route: controlRoutes.listWorlds,
      reply: worldPage,
    },
    getWorld: {
      route: controlRoutes.getWorld,
      params,
      reply: worldSummary,
      further: [404],
    },
    deleteWorld: {
      route: controlRoutes.deleteWorld,
      params,
      reply: noContent,
      further: [404, 409],
    },
  },
)
