import { z } from 'zod'
import { changeLifecycle, reportChange, reportHealth } from '../domain/events/device-events.ts'
import { readExactBody } from '../http/input/input.ts'
import { errorBody } from '../http/json-errors.ts'
import { deviceId } from '../schemas/events/device.ts'
import { deviceChange, healthChange, lifecycleChange } from '../schemas/events/device-change.ts'
import { deviceEvent, deviceHealthEvent, deviceLifecycleEvent } from '../schemas/events/platform-event.ts'
import type { ControlApp } from './context.ts'

export function devices(app: ControlApp): void {
  const tags = ['Devices']
  const params = z.object({ deviceId })
  const refusals = { 400: errorBody, 403: errorBody, 404: errorBody }

  app.post('/_control/devices/:deviceId/events', {
    // Null and empty values of an attribute are values.
    config: { operation: 'emitDeviceEvent', judgesInput: true },
    schema: {
      tags,
      summary: "Change an attribute of a device's state and send the event",
      params,
      body: deviceChange,
      response: { 200: deviceEvent, ...refusals },
    },
    handler: async (request) =>
      reportChange(request.ports, request.params.deviceId, readExactBody(request, deviceChange)),
  })

  app.post('/_control/devices/:deviceId/health', {
    config: { operation: 'reportHealth' },
    schema: {
      tags,
      summary: "Change a device's health and send the event",
      params,
      body: healthChange,
      response: { 200: deviceHealthEvent, ...refusals },
    },
    handler: async ({ ports, params, body }) => reportHealth(ports, params.deviceId, body),
  })

  app.post('/_control/devices/:deviceId/lifecycle', {
    config: { operation: 'changeLifecycle' },
    schema: {
      tags,
      summary: "Tell of a device's lifecycle; ROOM_MOVE moves it",
      params,
      body: lifecycleChange,
      response: { 200: deviceLifecycleEvent, ...refusals },
    },
    handler: async ({ ports, params, body }) => changeLifecycle(ports, params.deviceId, body),
  })
}
