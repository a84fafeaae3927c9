import fastJson from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import { z } from 'zod'

const serializers = new WeakMap<z.ZodType, (value: unknown) => string>()

/** Compiled at the first answer, so that the start does not pay for routes that nobody uses. */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> = ({ schema }) => {
  let stringify: ((value: unknown) => string) | undefined
  return (value) => {
    stringify ??= serializers.get(schema) ?? compileSerializer(schema)
    return stringify(value)
  }
}

function compileSerializer(schema: z.ZodType): (value: unknown) => string {
  const stringify = fastJson(toSerializerSchema(schema)) as (value: unknown) => string
  serializers.set(schema, stringify)
  return stringify
}

/** Tests use it: a reply that breaks its schema fails. */
export const verifyingSerializerCompiler: FastifySerializerCompiler<z.ZodType> = (route) => {
  const serialize = serializerCompiler(route)
  return (value) => {
    const text = serialize(value)
    route.schema.parse(JSON.parse(text))
    return text
  }
}

/**
 * The JSON Schema that the serializer is compiled from. `io: input` agrees with zod on unions and nullables that carry
 * fields of ours; `output` throws there. Descriptions and names are for people: an empty registry leaves them out.
 */
function toSerializerSchema(schema: z.ZodType): fastJson.Schema {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    metadata: z.registry(),
  })
  return sayTypes(json) as fastJson.Schema
}

/**
 * `X or null` and choices of simple types in the serializer's own words. Of a choice it would make a validator, which
 * takes longer than the rest of a route's first answer, and ask it for every value.
 */
function sayTypes(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(sayTypes)
  const said = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, sayTypes(value)]))
  const { anyOf: choice, ...rest } = said as { anyOf?: Choice[] }
  if (!choice) return said
  const [value, nothing] = choice
  if (choice.length === 2 && nothing?.type === 'null' && value?.type !== undefined && !('const' in value))
    return { ...rest, ...value, ...(value.enum && { enum: [...value.enum, null] }), nullable: true }
  const types = new Set(choice.map(({ type }) => type))
  return choice.every(isSimple) && types.size === choice.length ? { ...rest, type: [...types] } : said
}

interface Choice {
  type?: string
  format?: string
  enum?: unknown[]
  const?: unknown
}

/** Only its type tells how such a value is written. */
function isSimple({ type, format }: Choice): boolean {
  return type !== undefined && format === undefined && ['string', 'integer', 'number', 'boolean'].includes(type)
}
