import * as z from 'zod'
import { record } from './status.ts'

const place = {
  collection: z.string().describe('Name of the collection'),
  key: z.string().describe('Key of the record'),
}

export const fieldChange = z.object({
  path: z.string().describe('Path of the field, for example appointment.date or history[1]'),
  before: z.unknown().optional().describe('Value in this world. Absent if the field does not exist.'),
  after: z.unknown().optional().describe('Value in the other world. Absent if the field does not exist.'),
})
export type FieldChange = z.infer<typeof fieldChange>

const whole = z.object({ ...place, record })
const changed = z.object({ ...place, fields: z.array(fieldChange).describe('Changed fields, sorted by path') })

/** Counters and settings are not compared, because they always differ. */
export const worldDiff = z.object({
  same: z.boolean().describe('Whether all records are equal'),
  added: z.array(whole).describe('Records that only the other world has'),
  removed: z.array(whole).describe('Records that only this world has'),
  changed: z.array(changed).describe('Records that both worlds have, with the fields that differ'),
  counts: z
    .object({
      added: z.int().min(0).describe('Number of records that only the other world has'),
      removed: z.int().min(0).describe('Number of records that only this world has'),
      changed: z.int().min(0).describe('Number of records that differ'),
    })
    .describe('Total numbers of differences. The lists are limited to 1,000 records each and 1 MB in total.'),
})
export type WorldDiff = z.infer<typeof worldDiff>
