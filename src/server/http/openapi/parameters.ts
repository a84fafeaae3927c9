import type { z } from 'zod'
import type { RequestParts } from '#contract/example.ts'
import { metaOf, shapeOf } from '../input/findings.ts'
import { type Json, toSchema } from './schemas.ts'

/** The interface declares such a parameter as optional. */
export const NEEDED = 'Optional in the interface, needed here (our choice)'

export function toParameters(
  schema: z.ZodType | undefined,
  place: string,
  example: RequestParts | undefined,
  components: Json,
): Json[] {
  const sent: Readonly<Record<string, unknown>> | undefined = example && {
    ...example.headers,
    ...example.params,
    ...example.query,
  }
  return Object.entries(shapeOf(schema)).map(([name, field]) => {
    const { description = '', examples, ...rest } = toSchema(field, components)
    const isNeeded = !field.safeParse(undefined).success
    const isOptional = metaOf(field)['optionalInDocument'] === true
    // A played request shows only what it sent, since all values at once might belong to different things.
    const given = sent?.[name] ?? rest['const'] ?? (sent ? undefined : (examples as unknown[] | undefined)?.[0])
    const words = [description, ...(isNeeded && isOptional ? [NEEDED] : [])].filter(Boolean).join('. ')
    return {
      name,
      in: place,
      required: place === 'path' || (isNeeded && !isOptional),
      ...(words ? { description: words } : {}),
      schema: rest,
      ...(rest['type'] === 'array' ? { style: 'form', explode: true } : {}),
      ...(given === undefined ? {} : { example: toTyped(given, rest['type']) }),
    }
  })
}

/** Examples are sent as text, while readers want to see their values. */
function toTyped(given: unknown, type: unknown): unknown {
  if (type === 'integer' || type === 'number') return Number(given)
  return type === 'boolean' ? given === 'true' : given
}
