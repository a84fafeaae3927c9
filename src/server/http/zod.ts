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
  return sayNullable(json) as fastJson.Schema
}

/**
 * `X or null` in the serializer's own words. Of a choice it would make a validator, which takes longer than the rest of
 * a route's first answer, and ask it for every value.
 */
function sayNullable(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(sayNullable)
  const said = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, sayNullable(value)]))
  const { anyOf: choice, ...rest } = said as { anyOf?: { type?: string; enum?: unknown[]; const?: unknown }[] }
  const [value, nothing] = choice ?? []
  if (choice?.length !== 2 || nothing?.type !== 'null' || value?.type === undefined || 'const' in value) return said
  return { ...rest, ...value, ...(value.enum && { enum: [...value.enum, null] }), nullable: true }
}
