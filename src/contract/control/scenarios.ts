import { z } from 'zod'
import { defineOperations, noContent } from '../operation.ts'
import { scenario, scenarioDraft } from '../records/events/scenario.ts'
import { limit, offset } from '../records/parameters.ts'
import { controlRoutes } from './routes.ts'

export const scenarioOperations = defineOperations(
  { scope: 'control', tag: 'Scenarios' },
  {
    startScenario: {
      route: controlRoutes.startScenario,
      // Null and empty values of an attribute are values.
      judgesInput: true,
      summary: "Play steps on devices by the world's clock, from now on",
      body: scenarioDraft,
      reply: scenario,
      further: [400],
    },
    listScenarios: {
      route: controlRoutes.listScenarios,
      summary: 'What plays; what is over is no longer listed',
      query: z.object({ limit, offset }),
      reply: z.object({ items: z.array(scenario), totalCount: z.int() }),
      further: [400],
    },
    clearScenarios: {
      route: controlRoutes.clearScenarios,
      summary: 'Nothing plays any more',
      reply: noContent,
    },
    deleteScenario: {
      route: controlRoutes.deleteScenario,
      params: z.object({ scenarioId: z.string() }),
      reply: noContent,
      further: [404],
    },
  },
)
