import { z } from 'zod'

export const anything = z.record(z.string(), z.unknown())
export const count = z.number().min(0).max(1_000_000)
/** The control API counts entries up to this bound. */
export const entryId = z.number().min(0).max(2_147_483_647)
export const texts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
export const operation = z.union([z.string().max(200), z.number()])

export const callFields = {
  operation: operation.describe('1 to 41 or a name (resource operations)'),
  as: z.string().max(200).describe('Caller or token of people; "none": nobody; default: one who may').optional(),
  params: texts.optional(),
  query: anything.optional(),
  headers: texts.describe('"" leaves one out').optional(),
  body: z.unknown().describe('JSON; of SOAP its inputs').optional(),
}

export const shownCall = z.looseObject({ method: z.string(), path: z.string() })
