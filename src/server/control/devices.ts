import { deviceOperations } from '#contract/control/devices.ts'
import { deviceChange } from '#contract/records/events/device-change.ts'
import { changeLifecycle, reportChange, reportHealth } from '../domain/events/device-events.ts'
import { readExactBody } from '../http/input/input.ts'
import { portsOfCause } from '../http/request-notes.ts'
import { implementControl } from './context.ts'

export const devices = implementControl(deviceOperations, {
  emitDeviceEvent: async (request) =>
    reportChange(portsOfCause(request), request.params.deviceId, readExactBody(request, deviceChange)),

  reportHealth: async (request) => reportHealth(portsOfCause(request), request.params.deviceId, request.body),
  changeLifecycle: async (request) => changeLifecycle(portsOfCause(request), request.params.deviceId, request.body),
})
