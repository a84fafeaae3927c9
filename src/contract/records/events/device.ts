import * as z from 'zod'
import { locationId } from './access-token.ts'
import { idText, instant, text } from '../formats.ts'

export const deviceId = idText(64).meta({
  description: 'ID of the device',
  example: 'aaaaaaaa-0000-4000-8000-000000000001',
})

export const partName = text(64)

export const healthStatus = z.enum(['ONLINE', 'OFFLINE', 'UNHEALTHY'])

const attributeState = z.object({
  value: z.unknown(),
  unit: z.string().max(16).optional(),
  updatedAt: instant.optional(),
})
export type AttributeState = z.infer<typeof attributeState>

const capability = z.record(partName, attributeState)
const component = z.record(partName, capability)

export const device = z.object({
  deviceId,
  locationId,
  roomId: z.string().max(64).optional(),
  hubId: z.string().max(64).optional(),
  name: text(100),
  status: healthStatus,
  components: z.record(partName, component),
})
export type Device = z.infer<typeof device>
