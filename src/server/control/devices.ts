import { z } from 'zod'
import { changeLifecycle, reportChange, reportHealth } from '../domain/events/device-events.ts'
import { readExactBody } from '../http/input/input.ts'
import { deviceId } from '../../contract/records/events/device.ts'
import { deviceChange, healthChange, lifecycleChange } from '../../contract/records/events/device-change.ts'
import { deviceEvent, deviceHealthEvent, deviceLifecycleEvent } from '../../contract/records/events/platform-event.ts'
import { controlOperations } from './context.ts'

const declare = controlOperations('Devices')
const params = z.object({ deviceId })

export const devices = [
  declare({
    operation: 'emitDeviceEvent',
    route: 'POST /_control/devices/:deviceId/events',
    // Null and empty values of an attribute are values.
    judgesInput: true,
    summary: "Change an attribute of a device's state and send the event",
    params,
    body: deviceChange,
    reply: deviceEvent,
    further: [400, 404],
    run: async (request) => reportChange(request.ports, request.params.deviceId, readExactBody(request, deviceChange)),
  }),

  declare({
    operation: 'reportHealth',
    route: 'POST /_control/devices/:deviceId/health',
    summary: "Change a device's health and send the event",
    params,
    body: healthChange,
    reply: deviceHealthEvent,
    further: [400, 404],
    run: async ({ ports, params, body }) => reportHealth(ports, params.deviceId, body),
  }),

  declare({
    operation: 'changeLifecycle',
    route: 'POST /_control/devices/:deviceId/lifecycle',
    summary: "Tell of a device's lifecycle; ROOM_MOVE moves it",
    params,
    body: lifecycleChange,
    reply: deviceLifecycleEvent,
    further: [400, 404],
    run: async ({ ports, params, body }) => changeLifecycle(ports, params.deviceId, body),
  }),
]
