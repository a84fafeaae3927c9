import fastJson from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import { z } from 'zod'

type Stringify = (value: unknown) => string

const serializers = new WeakMap<z.ZodType, Stringify>()

/** Compiled at the first response, so that the start does not pay for routes that nobody uses. */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> =
  ({ schema }) =>
  (value) => {
    const stringify = serializers.get(schema) ?? compileSerializer(schema)
    return stringify(value)
  }

/**
 * `io: input` agrees with zod on unions and nullables that carry internal fields; `output` throws there. An empty
 * registry leaves out descriptions.
 */
function compileSerializer(schema: z.ZodType): Stringify {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    metadata: z.registry(),
    override: ({ jsonSchema }) => replaceAnyOf(jsonSchema),
  })
  const stringify = fastJson(json as fastJson.Schema) as Stringify
  serializers.set(schema, stringify)
  return stringify
}

/**
 * Writes `X or null` and choices of simple types without `anyOf`. For that the serializer compiles a validator, which
 * takes longer than the rest of a route's first response.
 */
function replaceAnyOf(schema: z.core.JSONSchema.BaseSchema): void {
  const { anyOf: [value, ...others] = [] } = schema
  const types = new Set([value, ...others].map((each) => each?.type))
  if (others.length === 1 && others[0]!.type === 'null' && value?.type !== undefined && !('const' in value)) {
    delete schema.anyOf
    Object.assign(schema, value, { nullable: true }, value.enum && { enum: [...value.enum, null] })
  } else if ([...types].every((type) => SIMPLE.has(type))) {
    delete schema.anyOf
    Object.assign(schema, { type: [...types] })
  }
}

const SIMPLE = new Set<unknown>(['string', 'integer', 'number', 'boolean'])
