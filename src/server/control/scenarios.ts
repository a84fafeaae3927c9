import { z } from 'zod'
import { clearScenarios, deleteScenario, listScenarios, startScenario } from '../domain/events/scenarios.ts'
import { readExactBody } from '../http/input/input.ts'
import { limit, offset } from '../../contract/records/parameters.ts'
import { noContent } from '../../contract/operation.ts'
import { scenario, scenarioDraft } from '../../contract/records/events/scenario.ts'
import { controlOperations } from './context.ts'

const declare = controlOperations('Scenarios')

export const scenarios = [
  declare({
    operation: 'startScenario',
    route: 'POST /_control/scenarios',
    // Null and empty values of an attribute are values.
    judgesInput: true,
    summary: "Play steps on devices by the world's clock, from now on",
    body: scenarioDraft,
    reply: scenario,
    further: [400],
    run: async (request) => startScenario(request.ports, readExactBody(request, scenarioDraft)),
  }),

  declare({
    operation: 'listScenarios',
    route: 'GET /_control/scenarios',
    summary: 'What plays; what is over is no longer listed',
    query: z.object({ limit, offset }),
    reply: z.object({ items: z.array(scenario), totalCount: z.int() }),
    further: [400],
    run: async ({ ports, query }) => listScenarios(ports, query),
  }),

  declare({
    operation: 'clearScenarios',
    route: 'DELETE /_control/scenarios',
    summary: 'Nothing plays any more',
    reply: noContent,
    run: async ({ ports }) => clearScenarios(ports),
  }),

  declare({
    operation: 'deleteScenario',
    route: 'DELETE /_control/scenarios/:scenarioId',
    params: z.object({ scenarioId: z.string() }),
    reply: noContent,
    further: [404],
    run: async ({ ports, params }) => deleteScenario(ports, params.scenarioId),
  }),
]
