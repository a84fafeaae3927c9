import fastJson from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import * as z from 'zod'
import { isObject } from '#contract/records/plain-values.ts'

type Stringify = (value: unknown) => string

const serializers = new WeakMap<z.ZodType, Stringify>()

/** Compiles a serializer when the first response is written, so that unused routes do not slow down startup. */
export function createSerializerCompiler(): FastifySerializerCompiler<z.ZodType> {
  return ({ schema }) => {
    let stringify: Stringify | undefined
    return (value) => {
      stringify ??= isPage(schema) ? createPageSerializer(schema) : serializerOf(schema)
      return stringify(value)
    }
  }
}

const serializerOf = (schema: z.ZodType): Stringify => serializers.get(schema) ?? compileSerializer(schema)

type Page = z.ZodObject<{ items: z.ZodArray<z.ZodType>; totalCount: z.ZodType }>

const isPage = (schema: z.ZodType): schema is Page =>
  schema instanceof z.ZodObject && Object.keys(schema.shape).join().startsWith('items,totalCount')

function createPageSerializer({ shape: { items, ...others } }: Page): Stringify {
  const writeItem = cacheTexts(serializerOf(items.element))
  const writeOthers = serializerOf(z.object(others))
  return (page) => {
    let texts = ''
    for (const item of (page as { items: readonly unknown[] }).items) texts += (texts && ',') + writeItem(item)
    return `{"items":[${texts}],${writeOthers(page).slice(1)}`
  }
}

/** Maximum number of characters in the cache. The JSON text of a ticket has about 1,300. */
const MOST_TEXT = 32 * 1024 * 1024

/** A frozen record never changes, so its JSON text is cached as long as the record exists. */
function cacheTexts(write: Stringify): Stringify {
  let [texts, size] = [new WeakMap<object, string>(), 0]
  return (value) => {
    if (!Object.isFrozen(value) || !isObject(value)) return write(value)
    const known = texts.get(value)
    if (known !== undefined) return known
    // Copied, because V8 would keep all the parts that the serializer concatenated.
    const text = Buffer.from(write(value)).toString()
    size += text.length
    if (size > MOST_TEXT) [texts, size] = [new WeakMap(), text.length]
    texts.set(value, text)
    return text
  }
}

/** With `output`, zod throws for unions with internal fields. The empty registry omits descriptions. */
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

/** Avoids `anyOf`, for which the serializer compiles a validator, slower than the rest of a first response. */
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
