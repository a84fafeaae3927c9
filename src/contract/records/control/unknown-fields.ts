import { z } from 'zod'
import { sayUnknown, writePath } from '../issues.ts'

export interface UnknownField {
  /** Of the object that has it; empty for the value itself. */
  path: string
  rule: string
}

/** Fields at any depth that a schema would leave out without a word; one by one, since near names cost time. */
export function* findUnknownFields(schema: z.ZodType, value: unknown, path = ''): Generator<UnknownField> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    yield* findUnknownFields(schema.unwrap() as z.ZodType, value, path)
  } else if (schema instanceof z.ZodArray && Array.isArray(value)) {
    for (const [i, each] of value.entries()) {
      yield* findUnknownFields(schema.element as z.ZodType, each, writePath(path, [i]))
    }
  } else if (schema instanceof z.ZodObject && typeof value === 'object' && value !== null) {
    const shape = schema.shape as Readonly<Record<string, z.ZodType>>
    for (const [field, each] of Object.entries(value)) {
      const known = Object.hasOwn(shape, field) ? shape[field] : undefined
      if (known) yield* findUnknownFields(known, each, writePath(path, [field]))
      else yield { path, rule: sayUnknown('field', field, Object.keys(shape)) }
    }
  }
}
