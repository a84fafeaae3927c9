import { z } from 'zod'
import { clearScenarios, deleteScenario, listScenarios, startScenario } from '../domain/events/scenarios.ts'
import { readExactBody } from '../http/input/input.ts'
import { errorBody } from '../http/json-errors.ts'
import { limit, offset } from '../http/input/parameters.ts'
import { noContent } from '../http/zod.ts'
import { scenario, scenarioDraft } from '../schemas/events/scenario.ts'
import type { ControlApp } from './context.ts'

export function scenarios(app: ControlApp): void {
  const tags = ['Scenarios']

  app.post('/_control/scenarios', {
    // Null and empty values of an attribute are values.
    config: { operation: 'startScenario', judgesInput: true },
    schema: {
      tags,
      summary: "Play steps on devices by the world's clock, from now on",
      body: scenarioDraft,
      response: { 200: scenario, 400: errorBody, 403: errorBody },
    },
    handler: async (request) => startScenario(request.ports, readExactBody(request, scenarioDraft)),
  })

  app.get('/_control/scenarios', {
    config: { operation: 'listScenarios' },
    schema: {
      tags,
      summary: 'What plays; what is over is no longer listed',
      querystring: z.object({ limit, offset }),
      response: { 200: z.object({ items: z.array(scenario), totalCount: z.int() }), 400: errorBody, 403: errorBody },
    },
    handler: async ({ ports, query }) => listScenarios(ports, query),
  })

  app.delete('/_control/scenarios', {
    config: { operation: 'clearScenarios' },
    schema: { tags, summary: 'Nothing plays any more', response: { 204: noContent, 403: errorBody } },
    handler: async ({ ports }, reply) => {
      await clearScenarios(ports)
      return reply.code(204).send(undefined)
    },
  })

  app.delete('/_control/scenarios/:scenarioId', {
    config: { operation: 'deleteScenario' },
    schema: {
      tags,
      params: z.object({ scenarioId: z.string() }),
      response: { 204: noContent, 403: errorBody, 404: errorBody },
    },
    handler: async ({ ports, params }, reply) => {
      await deleteScenario(ports, params.scenarioId)
      return reply.code(204).send(undefined)
    },
  })
}
