import { z } from 'zod'
import { deviceId } from '../records/events/device.ts'
import { deviceChange, healthChange, lifecycleChange } from '../records/events/device-change.ts'
import { deviceEvent, deviceHealthEvent, deviceLifecycleEvent } from '../records/events/platform-event.ts'
import { defineControl } from './define.ts'

const params = z.object({ deviceId })
const known = { params: { deviceId: 'aaaaaaaa-0000-4000-8000-000000000001' } }

export const deviceOperations = defineControl('Devices', {
  emitDeviceEvent: {
    // Null and empty values of an attribute are values.
    validatesItself: true,
    summary: "Change an attribute of a device's state and send the event",
    params,
    body: deviceChange,
    reply: deviceEvent,
    otherStatuses: [400, 404],
    example: { ...known, body: { capability: 'switch', attribute: 'switch', value: 'on' } },
  },
  reportHealth: {
    summary: "Change a device's health and send the event",
    params,
    body: healthChange,
    reply: deviceHealthEvent,
    otherStatuses: [400, 404],
    example: { ...known, body: { status: 'OFFLINE' } },
  },
  changeLifecycle: {
    summary: "Tell of a device's lifecycle; ROOM_MOVE moves it",
    params,
    body: lifecycleChange,
    reply: deviceLifecycleEvent,
    otherStatuses: [400, 404],
    example: { ...known, body: { lifecycle: 'ROOM_MOVE', roomIdTo: 'attic' } },
  },
})
