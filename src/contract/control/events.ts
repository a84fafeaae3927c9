import * as z from 'zod'
import { noContent } from '../operation.ts'
import { accessTokenRequest, issuedToken } from '../records/events/access-token.ts'
import { deviceId } from '../records/events/device.ts'
import { deviceChange, healthChange, lifecycleChange } from '../records/events/device-change.ts'
import { deviceEvent, deviceHealthEvent, deviceLifecycleEvent } from '../records/events/platform-event.ts'
import { scenario, scenarioDraft } from '../records/events/scenario.ts'
import { chaos, streamDescription } from '../records/events/stream.ts'
import { subscriptionId } from '../records/events/subscription.ts'
import { pageOf, paging } from '../records/parameters.ts'
import { defineControl } from './define.ts'

const LIGHT = 'aaaaaaaa-0000-4000-8000-000000000001'
const params = z.object({
  deviceId: deviceId.meta({ description: 'ID of the device, or its name if no other device has it' }),
})
const known = { params: { deviceId: LIGHT } }

export const deviceOperations = defineControl('Devices', {
  emitDeviceEvent: {
    // The domain validates the input, because null and empty strings are valid attribute values.
    validatesItself: true,
    summary: 'Emit a device event',
    description: 'Changes an attribute of the device and sends the event.',
    params,
    body: deviceChange,
    reply: deviceEvent,
    example: { ...known, body: { capability: 'switch', attribute: 'switch', value: 'on' } },
  },
  reportHealth: {
    summary: 'Change the health of a device',
    description: 'Stores the health of the device and sends the event.',
    params,
    body: healthChange,
    reply: deviceHealthEvent,
    example: { ...known, body: { status: 'OFFLINE' } },
  },
  changeLifecycle: {
    summary: 'Emit a device lifecycle event',
    description: 'Sends a lifecycle event. For ROOM_MOVE, the device is also moved to the target room.',
    params,
    body: lifecycleChange,
    reply: deviceLifecycleEvent,
    example: { ...known, body: { lifecycle: 'ROOM_MOVE', roomIdTo: 'attic' } },
  },
})

const light = { deviceId: LIGHT, capability: 'switch', attribute: 'switch' }

export const scenarioOperations = defineControl('Scenarios', {
  startScenario: {
    // The domain validates the input, because null and empty strings are valid attribute values.
    validatesItself: true,
    summary: 'Start a scenario',
    description: 'Changes devices step by step, at set times of the world clock.',
    body: scenarioDraft,
    reply: scenario,
    example: {
      body: {
        steps: [
          { afterMs: 1000, ...light, value: 'on' },
          { afterMs: 2000, ...light, value: 'off' },
        ],
      },
    },
  },
  listScenarios: {
    summary: 'List running scenarios',
    query: paging,
    reply: pageOf(scenario),
  },
  clearScenarios: { summary: 'Delete all scenarios', reply: noContent },
  deleteScenario: {
    summary: 'Delete a scenario',
    params: z.object({ scenarioId: z.string() }),
    reply: noContent,
    example: { needs: 'scenarioId, from startScenario' },
  },
})

export const streamOperations = defineControl('Streams', {
  listStreams: {
    summary: 'List open streams',
    description: 'Open event streams of this instance.',
    reply: pageOf(streamDescription),
  },
  injectStreamFault: {
    summary: 'Inject a fault into an open stream',
    description: 'Affects an open event stream of this instance.',
    params: z.object({ subscriptionId }),
    body: chaos,
    reply: noContent,
    example: { body: { action: 'drop' }, needs: 'subscriptionId of an open stream, from listStreams' },
  },
})

export const tokenOperations = defineControl('Tokens', {
  issueAccessToken: {
    summary: 'Issue an access token',
    description: 'Issues a bearer token for event subscriptions, for any user.',
    body: accessTokenRequest,
    reply: issuedToken,
    example: {
      body: {
        user: 'alice-home',
        scopes: ['r:devices:*'],
        locations: ['11111111-0000-4000-8000-000000000001'],
        expiresIn: 3600,
      },
    },
  },
  revokeAccessToken: {
    summary: 'Revoke an access token',
    description: 'Revokes the token and ends the stream that uses it.',
    params: z.object({ accessToken: z.string() }),
    reply: noContent,
    example: { needs: 'accessToken, from issueAccessToken' },
  },
})
