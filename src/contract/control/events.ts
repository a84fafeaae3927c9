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
const params = z.object({ deviceId })
const known = { params: { deviceId: LIGHT } }

export const deviceOperations = defineControl('Devices', {
  emitDeviceEvent: {
    // Null and empty values of an attribute are values.
    validatesItself: true,
    summary: "Change an attribute of a device's state and send the event",
    params,
    body: deviceChange,
    reply: deviceEvent,
    example: { ...known, body: { capability: 'switch', attribute: 'switch', value: 'on' } },
  },
  reportHealth: {
    summary: "Change a device's health and send the event",
    params,
    body: healthChange,
    reply: deviceHealthEvent,
    example: { ...known, body: { status: 'OFFLINE' } },
  },
  changeLifecycle: {
    summary: "Tell of a device's lifecycle; ROOM_MOVE moves it",
    params,
    body: lifecycleChange,
    reply: deviceLifecycleEvent,
    example: { ...known, body: { lifecycle: 'ROOM_MOVE', roomIdTo: 'attic' } },
  },
})

const light = { deviceId: LIGHT, capability: 'switch', attribute: 'switch' }

export const scenarioOperations = defineControl('Scenarios', {
  startScenario: {
    // Null and empty values of an attribute are values.
    validatesItself: true,
    summary: "Play steps on devices by the world's clock, from now on",
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
    summary: 'What plays; what is over is no longer listed',
    query: paging,
    reply: pageOf(scenario),
  },
  clearScenarios: { summary: 'Nothing plays any more', reply: noContent },
  deleteScenario: {
    summary: 'Delete a scenario',
    params: z.object({ scenarioId: z.string() }),
    reply: noContent,
    example: { needs: 'scenarioId, from startScenario' },
  },
})

export const streamOperations = defineControl('Streams', {
  listStreams: {
    summary: 'The live streams of this instance',
    reply: pageOf(streamDescription),
  },
  disturbStream: {
    summary: 'Disturb a live stream of this instance, to see how its client takes it',
    params: z.object({ subscriptionId }),
    body: chaos,
    reply: noContent,
    example: { body: { action: 'drop' }, needs: 'subscriptionId of an open stream, from listStreams' },
  },
})

export const tokenOperations = defineControl('Tokens', {
  issueAccessToken: {
    summary: 'An access token for event subscriptions, for any user',
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
    summary: 'Revoke an access token; its stream ends',
    params: z.object({ accessToken: z.string() }),
    reply: noContent,
    example: { needs: 'accessToken, from issueAccessToken' },
  },
})
