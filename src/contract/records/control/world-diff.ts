import * as z from 'zod'
import { record } from './status.ts'

const place = { collection: z.string().describe('Its plural noun'), key: z.string().describe('Of the record') }

export const fieldChange = z.object({
  path: z.string().meta({ description: 'Such as appointment.date or history[1]' }),
  before: z.unknown().optional().describe('Absent: it had none'),
  after: z.unknown().optional().describe('Absent: it has none'),
})
export type FieldChange = z.infer<typeof fieldChange>

const whole = z.object({ ...place, record })
const changed = z.object({ ...place, fields: z.array(fieldChange).describe('Sorted by path') })

/** Counters and settings differ by nature and are left out. */
export const worldDiff = z.object({
  same: z.boolean().describe('Whether all records are alike'),
  added: z.array(whole).meta({ description: 'Records that the other world alone has' }),
  removed: z.array(whole).meta({ description: 'Records that this world alone has' }),
  changed: z.array(changed).meta({ description: 'Records of both, with the fields that differ' }),
  counts: z
    .object({
      added: z.int().min(0).describe('Of the other world alone'),
      removed: z.int().min(0).describe('Of this world alone'),
      changed: z.int().min(0).describe('Of both, and different'),
    })
    .meta({ description: 'Of all; of more than 1,000, or than 1 MB, the first are told' }),
})
export type WorldDiff = z.infer<typeof worldDiff>
