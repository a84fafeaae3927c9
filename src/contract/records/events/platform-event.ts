import * as z from 'zod'
import { locationId } from './access-token.ts'
import { deviceId, healthStatus, partName } from './device.ts'

const eventId = z.uuid().meta({ description: 'Id of the event', example: '6f5902ac-237b-4f0a-8b0c-0d7d1f0c9b3e' })
const eventTime = z.int().meta({ description: 'Milliseconds since the epoch', example: 1_778_083_200_000 })

/** Fields of every kind of event; `ownerId` and `ownerType` are our choice. */
const origin = {
  eventId,
  locationId,
  ownerId: z.string().meta({ description: 'The location, as owner', example: '11111111-0000-4000-8000-000000000001' }),
  ownerType: z.literal('LOCATION').describe('What the owner is'),
  deviceId,
}

/** Document 2, section 2, deviceEvent, before it is known whose subscription matched. */
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
  stateChange: z.boolean().meta({ description: 'Whether the value is another than before', example: true }),
  data: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ source: 'document 2, section 2', description: 'Further data', example: null }),
  commandId: z
    .string()
    .meta({ description: 'Command that led to it', example: '9a1f4c3e-0f3d-4f38-8f0b-53ad0f5ed0ac' }),
  sensitive: z.boolean().meta({ description: 'Whether the value is sensitive', example: false }),
})
export type DeviceEvent = z.infer<typeof deviceEvent>

export const lifecycle = z.enum(['CREATE', 'UPDATE', 'DELETE', 'ROOM_MOVE'])

/** Our choice: document 2 shows device events only. */
export const deviceLifecycleEvent = z.object({
  lifecycle: lifecycle.describe('What happened to the device'),
  ...origin,
  deviceName: z.string().meta({ description: 'Name of the device', example: 'Ceiling light' }),
  create: z.object({}).optional().describe('Present with CREATE'),
  update: z.object({}).optional().describe('Present with UPDATE'),
  delete: z.object({}).optional().describe('Present with DELETE'),
  roomMove: z
    .object({
      roomIdFrom: z.string().nullable().describe('Room that it left'),
      roomIdTo: z.string().nullable().describe('Room that it is in'),
    })
    .optional()
    .describe('Present with ROOM_MOVE'),
})

/** Our choice: document 2 shows device events only. */
export const deviceHealthEvent = z.object({
  ...origin,
  hubId: z.string().nullable().meta({ description: 'Hub of the device', example: 'hub-1' }),
  status: healthStatus.describe('Health of the device'),
  reason: z.string().meta({ mayGrow: true, description: 'Why', example: 'NONE' }),
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

/** Document 2, section 2: what a stream's DEVICE_EVENT carries as data. */
export const deliveredDeviceEvent = z.object({
  eventTime,
  eventType: z.literal('DEVICE_EVENT'),
  deviceEvent: deviceEvent.extend({
    subscriptionName: z.string().meta({ description: 'Name of the subscription that matched', example: 'My lights' }),
  }),
})

export const deliveredEvent = z.union([deliveredDeviceEvent, deliveredLifecycleEvent, deliveredHealthEvent])
