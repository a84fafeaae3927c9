import { z } from 'zod'
import { clearScenarios, deleteScenario, listScenarios, startScenario } from '../domain/events/scenarios.ts'
import { readExactBody } from '../http/input/input.ts'
import { limit, offset } from '../http/input/parameters.ts'
import { noContent } from '../http/zod.ts'
import { scenario, scenarioDraft } from '../schemas/events/scenario.ts'
import { controlOperation } from './context.ts'

const tag = 'Scenarios'

export const scenarios = [
  controlOperation({
    operation: 'startScenario',
    method: 'POST',
    path: '/_control/scenarios',
    // Null and empty values of an attribute are values.
    judgesInput: true,
    tag,
    summary: "Play steps on devices by the world's clock, from now on",
    body: scenarioDraft,
    reply: scenario,
    further: [400],
    run: async (request) => startScenario(request.ports, readExactBody(request, scenarioDraft)),
  }),

  controlOperation({
    operation: 'listScenarios',
    method: 'GET',
    path: '/_control/scenarios',
    tag,
    summary: 'What plays; what is over is no longer listed',
    query: z.object({ limit, offset }),
    reply: z.object({ items: z.array(scenario), totalCount: z.int() }),
    further: [400],
    run: async ({ ports, query }) => listScenarios(ports, query),
  }),

  controlOperation({
    operation: 'clearScenarios',
    method: 'DELETE',
    path: '/_control/scenarios',
    tag,
    summary: 'Nothing plays any more',
    reply: noContent,
    run: async ({ ports }) => clearScenarios(ports),
  }),

  controlOperation({
    operation: 'deleteScenario',
    method: 'DELETE',
    path: '/_control/scenarios/:scenarioId',
    tag,
    params: z.object({ scenarioId: z.string() }),
    reply: noContent,
    further: [404],
    run: async ({ ports, params }) => deleteScenario(ports, params.scenarioId),
  }),
]
