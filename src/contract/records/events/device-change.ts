import * as z from 'zod'
import { textUpTo } from '../formats.ts'
import { healthStatus, partName } from './device.ts'
import { lifecycle } from './platform-event.ts'

export const withoutTarget = { path: ['roomIdTo'], message: 'is required for ROOM_MOVE' }

/** Maximum size of values. It prevents a single event from filling the send buffer of a stream. */
const MAX_CHARACTERS = 65_536
const TOO_LARGE = `must have at most ${MAX_CHARACTERS} characters as JSON`

export const deviceChange = z.strictObject({
  component: partName.default('main').meta({ description: 'Component of the device. Default: main.', example: 'main' }),
  capability: partName.meta({ description: 'Capability of the component', example: 'switch' }),
  attribute: partName.meta({ description: 'Attribute of the capability', example: 'switch' }),
  value: z.unknown().refine(isSmall, TOO_LARGE).meta({ description: 'New value (any JSON value)', example: 'on' }),
  unit: textUpTo(16).optional().meta({ description: 'Unit of the value', example: 'C' }),
  data: z.record(z.string(), z.unknown()).refine(isSmall, TOO_LARGE).nullish().describe('Additional data of the event'),
  force: z.boolean().optional().describe('true: accepts an unknown capability, attribute or value'),
})
export type DeviceChange = z.input<typeof deviceChange>

export const healthChange = z.strictObject({
  status: healthStatus.describe('Health status of the device'),
  reason: textUpTo(100).optional().describe('Reason for the status'),
})
export type HealthChange = z.infer<typeof healthChange>

export const lifecycleChange = z
  .strictObject({
    lifecycle: lifecycle.describe('Lifecycle change of the device'),
    roomIdTo: textUpTo(64).optional().describe('Target room, which ROOM_MOVE requires'),
  })
  .refine(hasTarget, withoutTarget)
export type LifecycleChange = z.infer<typeof lifecycleChange>

export function hasTarget({ lifecycle, roomIdTo }: { lifecycle?: string | undefined; roomIdTo?: unknown }): boolean {
  return lifecycle !== 'ROOM_MOVE' || roomIdTo !== undefined
}

function isSmall(value: unknown): boolean {
  return value === undefined || JSON.stringify(value).length <= MAX_CHARACTERS
}
