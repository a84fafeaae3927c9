import * as z from 'zod'
import { $ZodRegistry } from 'zod/v4/core'
import { resources } from '#contract/records/resources.ts'
import { errorBody } from '../json-errors.ts'

export type Json = Record<string, unknown>

const named = { ...resources, ErrorBody: errorBody }
const ids = new Map<z.core.$ZodType, string>(Object.entries(named).map(([id, schema]) => [schema, id]))

/** Only descriptions give schemas an ID: zod writes those with one as definitions. */
class ComponentRegistry extends $ZodRegistry<z.core.JSONSchemaMeta> {
  override get(schema: z.core.$ZodType) {
    const id = ids.get(schema)
    return { ...z.globalRegistry.get(schema), ...(id !== undefined && { id }) }
  }
}

/** OpenAPI 3.1 takes JSON Schema 2020-12. Definitions become components. */
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
  'tolerated',
  'keepsEmpty',
  'optionalInDocument',
]

/** OpenAPI has its own keywords for examples and for the type of a text parameter. */
function tidy(zodSchema: z.core.$ZodType, jsonSchema: Json, components: Json): void {
  const meta = (z.globalRegistry.get(zodSchema) ?? {}) as Json
  for (const name of INTERNAL) delete jsonSchema[name]
  if (meta['openapi']) {
    for (const key of Object.keys(jsonSchema)) if (!(key in meta) && key !== 'default') delete jsonSchema[key]
    const { openapi } = meta
    Object.assign(jsonSchema, openapi instanceof z.ZodType ? toSchema(openapi, components) : openapi)
  }
  if (meta['example'] !== undefined) jsonSchema['examples'] = [meta['example']]
  // zod omits a default after a conversion, because it is not input text. Readers still need the value.
  const value = zodSchema instanceof z.ZodDefault ? zodSchema.def.defaultValue : undefined
  if (['string', 'number', 'boolean'].includes(typeof value)) jsonSchema['default'] = value
}
