import * as z from 'zod'
import { locationId } from './access-token.ts'
import { deviceId, healthStatus, partName } from './device.ts'

const eventId = z.uuid().meta({ description: 'ID of the event', example: '6f5902ac-237b-4f0a-8b0c-0d7d1f0c9b3e' })
const eventTime = z
  .int()
  .meta({ description: 'Time of the event in milliseconds since the epoch', example: 1_778_083_200_000 })

/** Fields that every event has. Document 2 does not show `ownerId` and `ownerType`. */
const origin = {
  eventId,
  locationId,
  ownerId: z
    .string()
    .meta({ description: 'ID of the owner, which is the location', example: '11111111-0000-4000-8000-000000000001' }),
  ownerType: z.literal('LOCATION').describe('Type of the owner'),
  deviceId,
}

/** A device event (document 2, section 2, deviceEvent). The name of the matching subscription is added later. */
export const deviceEvent = z.object({
  ...origin,
  componentId: partName.meta({ description: 'Component of the device', example: 'main' }),
  capability: partName.meta({ mayGrow: true, description: 'Capability of the component', example: 'switch' }),
  attribute: partName.meta({ description: 'Attribute that changed', example: 'switch' }),
  value: z.unknown().meta({ description: 'New value of the attribute', example: 'on' }),
  valueType: z
    .enum(['string', 'number', 'boolean', 'object', 'array', 'null'])
    .meta({ description: 'Type of the value', example: 'string' }),
  unit: z.string().optional().meta({ description: 'Unit of the value', example: 'C' }),
  stateChange: z.boolean().meta({ description: 'Whether the value differs from the previous value', example: true }),
  data: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ source: 'document 2, section 2', description: 'Additional data', example: null }),
  commandId: z
    .string()
    .meta({ description: 'ID of the command that caused the event', example: '9a1f4c3e-0f3d-4f38-8f0b-53ad0f5ed0ac' }),
  sensitive: z.boolean().meta({ description: 'Whether the value is sensitive', example: false }),
})
export type DeviceEvent = z.infer<typeof deviceEvent>

export const lifecycle = z.enum(['CREATE', 'UPDATE', 'DELETE', 'ROOM_MOVE'])

/** Lifecycle events are not specified in document 2, which shows only device events. */
export const deviceLifecycleEvent = z.object({
  lifecycle: lifecycle.describe('Lifecycle change of the device'),
  ...origin,
  deviceName: z.string().meta({ description: 'Name of the device', example: 'Ceiling light' }),
  create: z.object({}).optional().describe('Present with CREATE'),
  update: z.object({}).optional().describe('Present with UPDATE'),
  delete: z.object({}).optional().describe('Present with DELETE'),
  roomMove: z
    .object({
      roomIdFrom: z.string().nullable().describe('Previous room'),
      roomIdTo: z.string().nullable().describe('New room'),
    })
    .optional()
    .describe('Present with ROOM_MOVE'),
})

/** Health events are not specified in document 2, which shows only device events. */
export const deviceHealthEvent = z.object({
  ...origin,
  hubId: z.string().nullable().meta({ description: 'Hub of the device', example: 'hub-1' }),
  status: healthStatus.describe('Health status of the device'),
  reason: z.string().meta({ mayGrow: true, description: 'Reason for the status', example: 'NONE' }),
})

export const deliveredLifecycleEvent = z.object({
  eventTime,
  eventType: z.literal('DEVICE_LIFECYCLE_EVENT'),
  deviceLifecycleEvent,
})
export const deliveredHealthEvent = z.object({
  eventTime,
  eventType: z.literal('DEVICE_HEALTH_EVENT'),
  deviceHealthEvent,
})

const eventEnvelope = z.discriminatedUnion('eventType', [
  z.object({ eventTime, eventType: z.literal('DEVICE_EVENT'), deviceEvent }),
  deliveredLifecycleEvent,
  deliveredHealthEvent,
])
export type EventEnvelope = z.infer<typeof eventEnvelope>
export type EventType = EventEnvelope['eventType']

export const deliveredDeviceEvent = z.object({
  eventTime,
  eventType: z.literal('DEVICE_EVENT'),
  deviceEvent: deviceEvent.extend({
    subscriptionName: z.string().meta({ description: 'Name of the subscription that matched', example: 'My lights' }),
  }),
})

export const deliveredEvent = z.union([deliveredDeviceEvent, deliveredLifecycleEvent, deliveredHealthEvent])
