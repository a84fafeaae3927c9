import * as z from 'zod'
import { $ZodRegistry } from 'zod/v4/core'
import { resources } from '#contract/records/resources.ts'
import { errorBody } from '../json-errors.ts'

export type Json = Record<string, unknown>

const named = { ...resources, ErrorBody: errorBody }
const ids = new Map<z.core.$ZodType, string>(Object.entries(named).map(([id, schema]) => [schema, id]))

/** zod defines every schema that has an ID, so schemas have IDs only while a description is generated. */
class ComponentRegistry extends $ZodRegistry<z.core.JSONSchemaMeta> {
  override get(schema: z.core.$ZodType) {
    const id = ids.get(schema)
    return { ...z.globalRegistry.get(schema), ...(id !== undefined && { id }) }
  }
}

export function toSchema(schema: z.ZodType, components: Json): Json {
  const made = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-2020-12',
    unrepresentable: 'any',
    metadata: new ComponentRegistry(),
    override: ({ zodSchema, jsonSchema }) => tidy(zodSchema, jsonSchema as Json, components),
  })
  const text = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/')
  const { $schema: _, $defs, ...described } = JSON.parse(text) as Json
  Object.assign(components, $defs)
  return described
}

const INTERNAL = [
  'openapi',
  'example',
  'source',
  'requiredBy',
  'choice',
  'mayGrow',
  'known',
  'tolerated',
  'keepsEmpty',
  'optionalInDocument',
]

function tidy(zodSchema: z.core.$ZodType, jsonSchema: Json, components: Json): void {
  const meta = (z.globalRegistry.get(zodSchema) ?? {}) as Json
  for (const name of INTERNAL) delete jsonSchema[name]
  if (meta['openapi']) {
    for (const key of Object.keys(jsonSchema)) if (!(key in meta) && key !== 'default') delete jsonSchema[key]
    const { openapi } = meta
    Object.assign(jsonSchema, openapi instanceof z.ZodType ? toSchema(openapi, components) : openapi)
  }
  if (meta['example'] !== undefined) jsonSchema['examples'] = [meta['example']]
  // zod omits the default of a schema that has a transformation, but readers need it.
  const value = zodSchema instanceof z.ZodDefault ? zodSchema.def.defaultValue : undefined
  if (['string', 'number', 'boolean'].includes(typeof value)) jsonSchema['default'] = value
}
