import { deviceOperations, scenarioOperations, streamOperations, tokenOperations } from '#contract/control/events.ts'
import { deviceChange } from '#contract/records/events/device-change.ts'
import { scenarioDraft } from '#contract/records/events/scenario.ts'
import { notFound } from '../domain/errors.ts'
import { issueAccessToken, revokeAccessToken } from '../domain/events/access-tokens.ts'
import { changeLifecycle, reportChange, reportHealth } from '../domain/events/device-events.ts'
import { clearScenarios, deleteScenario, listScenarios, startScenario } from '../domain/events/scenarios.ts'
import { injectStreamFault, listStreams } from '../domain/events/streams.ts'
import { readExactBody } from '../http/input/input.ts'
import { portsOfCause } from '../http/request-context.ts'
import { implementControl } from './context.ts'
import { sendPage } from '../http/large-pages.ts'

export const events = implementControl(
  { ...tokenOperations, ...deviceOperations, ...scenarioOperations, ...streamOperations },
  {
    issueAccessToken: async ({ ports, body }) => issueAccessToken(ports, body),
    revokeAccessToken: async ({ ports, params }) => {
      const existed = await revokeAccessToken(ports, params.accessToken)
      if (!existed) throw notFound('the access token does not exist', 'our choice: control-refusals')
    },

    emitDeviceEvent: async (request) =>
      reportChange(portsOfCause(request), request.params.deviceId, readExactBody(request, deviceChange)),
    reportHealth: async (request) => reportHealth(portsOfCause(request), request.params.deviceId, request.body),
    changeLifecycle: async (request) => changeLifecycle(portsOfCause(request), request.params.deviceId, request.body),

    startScenario: async (request) => startScenario(portsOfCause(request), readExactBody(request, scenarioDraft)),
    listScenarios: async (request, reply) =>
      sendPage(request, reply, await listScenarios(request.ports, request.query)),
    clearScenarios: async ({ ports }) => clearScenarios(ports),
    deleteScenario: async ({ ports, params }) => deleteScenario(ports, params.scenarioId),

    listStreams: async ({ ports }) => {
      const items = listStreams(ports)
      return { items, totalCount: items.length }
    },
    injectStreamFault: async ({ ports, params, body }) => injectStreamFault(ports, params.subscriptionId, body),
  },
)
