import * as z from 'zod'
import { matching, textUpTo } from './formats.ts'

const INT32 = { min: -2_147_483_648, max: 2_147_483_647 }

export const flag = matching(/^(true|false)$/i, 'must be true or false')
  .transform((value) => value.toLowerCase() === 'true')
  .meta({ openapi: { type: 'boolean' } })

/** A 32-bit integer in decimal notation. Rejects `1.5`, `1e3` and `+1`. */
export function int32(min: number = INT32.min, max: number = INT32.max) {
  return matching(/^-?\d{1,10}$/, 'must be a 32-bit whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)
    .meta({ openapi: { type: 'integer', format: 'int32', minimum: min, maximum: max } })
}

/** If the choice `unusable-values` is `tolerate`, a number that is out of range is replaced with the nearest limit. */
export function int32From(min: number) {
  return int32(min).meta({ tolerated: clamped(min) })
}

function clamped(min: number) {
  return matching(/^-?\d+$/, 'must be a 32-bit whole number').transform((digits) =>
    Math.min(Math.max(min, Number(digits)), INT32.max),
  )
}

export const pageSize = matching(/^-?\d{1,10}$/, 'must be a 32-bit whole number')
  .transform(Number)
  .meta({
    openapi: { type: 'integer', format: 'int32', minimum: 1, maximum: 100, default: 20 },
    choice: 'page-max',
    tolerated: clamped(1),
  })

export const limit = int32(1, 100).meta({ choice: 'paging' }).default(20)
export const offset = int32(0).meta({ choice: 'paging' }).default(0)

export const paging = z.object({ limit, offset })
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), totalCount: z.int() })
}

export const filter = textUpTo(200)

/** If the choice `unusable-values` is `tolerate`, a malformed value is passed on and matches nothing. */
export function lookup<S extends z.ZodType>(schema: S): S {
  return schema.meta({ tolerated: z.string() })
}

export const tolerantFilter = lookup(filter)

/** If the choice `unusable-values` is `tolerate`, a malformed value counts as absent. */
export function ignorable<S extends z.ZodType>(schema: S): S {
  return schema.meta({ tolerated: z.string().transform(() => schema.parse(undefined)) })
}

export const direction = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['asc', 'desc']))
  .meta({ openapi: { type: 'string', enum: ['asc', 'desc'] }, choice: 'list-sorting' })
