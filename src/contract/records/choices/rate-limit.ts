import { z } from 'zod'
import { durationOf } from '../duration.ts'
import { explain } from '../issues.ts'
import { findNearest } from '../nearest.ts'

/** The limit holds for each caller. */
export interface RateLimit {
  /** So many requests may come in each `per`. */
  requests: number
  /** An ISO 8601 duration on the world's clock. */
  per: string
  /** RateLimit and RateLimit-Policy tell clients what is left, unless this is false. */
  headers?: boolean | undefined
}

const bounds = z.strictObject({
  requests: z.int().min(1).max(1_000_000_000),
  per: durationOf(),
  headers: z.boolean().optional(),
})
const word = z.literal('none', {
  error: ({ input }) => {
    const nearest = findNearest(String(input), ['none'])
    return `must be none or {requests, per}${nearest === undefined ? '' : `; the nearest is ${nearest}`}`
  },
})

/** A union would report no findings, so an object is checked field by field. */
export function rateLimit(): z.ZodDefault<z.ZodType<'none' | RateLimit>> {
  return z
    .unknown()
    .transform((given, context) => {
      const read = explain(typeof given === 'object' && given !== null ? bounds : word, given)
      if (read.success) return read.data
      for (const { message, path } of read.error.issues) context.addIssue({ code: 'custom', message, path: [...path] })
      return z.NEVER
    })
    .describe('none or {requests, per: a duration such as PT1M, headers: true or false}')
    .default('none') as never
}
