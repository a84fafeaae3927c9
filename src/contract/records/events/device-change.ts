import * as z from 'zod'
import { textUpTo } from '../formats.ts'
import { healthStatus, partName } from './device.ts'
import { lifecycle } from './platform-event.ts'

/** A larger event alone would fill the buffer of a reader. */
const MAX_CHARACTERS = 65_536
const TOO_LARGE = `must have at most ${MAX_CHARACTERS} characters as JSON`

export const deviceChange = z.strictObject({
  component: partName.default('main').meta({ description: 'main unless told', example: 'main' }),
  capability: partName.meta({ description: 'Of the component', example: 'switch' }),
  attribute: partName.meta({ description: 'Of the capability', example: 'switch' }),
  value: z.unknown().refine(isSmall, TOO_LARGE).meta({ description: 'Any JSON value', example: 'on' }),
  unit: textUpTo(16).optional().meta({ description: 'Of the value', example: 'C' }),
  data: z.record(z.string(), z.unknown()).refine(isSmall, TOO_LARGE).nullish().describe('Further data of the event'),
  force: z.boolean().optional().meta({ description: 'Takes a capability, attribute or value that is not known too' }),
})
export type DeviceChange = z.input<typeof deviceChange>

export const healthChange = z.strictObject({
  status: healthStatus.describe('How the device is'),
  reason: textUpTo(100).optional().describe('Why'),
})
export type HealthChange = z.infer<typeof healthChange>

export const lifecycleChange = z.strictObject({
  lifecycle: lifecycle.describe('What became of the device'),
  roomIdTo: textUpTo(64).optional().describe('Of ROOM_MOVE: where to'),
})
export type LifecycleChange = z.infer<typeof lifecycleChange>

function isSmall(value: unknown): boolean {
  return value === undefined || JSON.stringify(value).length <= MAX_CHARACTERS
}
