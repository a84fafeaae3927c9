import { deviceOperations } from '../../contract/control/devices.ts'
import { deviceChange } from '../../contract/records/events/device-change.ts'
import { changeLifecycle, reportChange, reportHealth } from '../domain/events/device-events.ts'
import { readExactBody } from '../http/input/input.ts'
import { implementControl } from './context.ts'

export const devices = implementControl(deviceOperations, {
  emitDeviceEvent: async (request) =>
    reportChange(request.ports, request.params.deviceId, readExactBody(request, deviceChange)),

  reportHealth: async ({ ports, params, body }) => reportHealth(ports, params.deviceId, body),
  changeLifecycle: async ({ ports, params, body }) => changeLifecycle(ports, params.deviceId, body),
})
