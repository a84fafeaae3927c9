import { scenarioOperations } from '#contract/control/scenarios.ts'
import { scenarioDraft } from '#contract/records/events/scenario.ts'
import { clearScenarios, deleteScenario, listScenarios, startScenario } from '../domain/events/scenarios.ts'
import { readExactBody } from '../http/input/input.ts'
import { portsOfCause } from '../http/request-notes.ts'
import { implementControl } from './context.ts'
import { sendPage } from './large-pages.ts'

export const scenarios = implementControl(scenarioOperations, {
  startScenario: async (request) => startScenario(portsOfCause(request), readExactBody(request, scenarioDraft)),
  listScenarios: async (request, reply) => sendPage(request, reply, await listScenarios(request.ports, request.query)),

  clearScenarios: async ({ ports }) => clearScenarios(ports),
  deleteScenario: async ({ ports, params }) => deleteScenario(ports, params.scenarioId),
})
