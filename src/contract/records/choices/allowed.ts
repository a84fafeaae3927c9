import { z } from 'zod'

/** Where a schema takes too many values to list, the words of its rule stand for them. */
export function describeAllowed(schema: z.ZodType): (string | number)[] {
  const inner = schema instanceof z.ZodDefault ? (schema.unwrap() as z.ZodType) : schema
  if (inner instanceof z.ZodEnum) return inner.options
  if (inner instanceof z.ZodLiteral) return [...inner.values] as (string | number)[]
  if (inner instanceof z.ZodUnion) return inner.options.flatMap((option) => describeAllowed(option as z.ZodType))
  return [inner.description ?? 'any']
}
