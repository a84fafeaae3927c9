import { z } from 'zod'
import { resources } from '#contract/records/resources.ts'
import { controlErrorBody, errorBody } from '../json-errors.ts'

export type Json = Record<string, unknown>

let named = false

/** Names are only needed for a description, so the start does not pay for them. */
function nameResources(): void {
  if (named) return
  named = true
  const all = { ...resources, ErrorBody: errorBody, ControlErrorBody: controlErrorBody }
  for (const [id, schema] of Object.entries(all)) {
    z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id })
  }
}

/** OpenAPI 3.1 takes JSON Schema 2020-12; schemas with an id become components. */
export function toSchema(schema: z.ZodType, components: Json): Json {
  nameResources()
  const made = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => tidy(zodSchema, jsonSchema as Json),
  })
  const { $schema: _, $defs = {}, ...described } = made as Json & { $defs?: Json }
  for (const [name, each] of Object.entries($defs)) components[name] = withoutId(pointToComponents(each) as Json)
  const own = pointToComponents(described) as Json
  const id = own['id']
  if (typeof id !== 'string') return own
  components[id] = withoutId(own)
  return { $ref: `#/components/schemas/${id}` }
}

function withoutId({ id: _, ...schema }: Json): Json {
  return schema
}

/** OpenAPI has its own words for examples and for the type behind a text parameter. */
function tidy(zodSchema: z.core.$ZodType, jsonSchema: Json): void {
  const {
    openapi,
    example,
    source: _,
    requiredBy: __,
    choice: ___,
    mayGrow: ____,
    ...rest
  } = (z.globalRegistry.get(zodSchema) ?? {}) as Json
  for (const own of ['openapi', 'example', 'source', 'requiredBy', 'choice', 'mayGrow', 'optionalInDocument'])
    delete jsonSchema[own]
  if (openapi) {
    for (const key of Object.keys(jsonSchema)) if (!(key in rest) && key !== 'default') delete jsonSchema[key]
    Object.assign(jsonSchema, openapi)
  }
  if (example !== undefined) jsonSchema['examples'] = [example]
  // zod leaves out a default behind a conversion, since it is no incoming text; readers still want the value.
  const value = zodSchema instanceof z.ZodDefault ? zodSchema.def.defaultValue : undefined
  if (['string', 'number', 'boolean'].includes(typeof value)) jsonSchema['default'] = value
}

function pointToComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToComponents)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === '$ref' && typeof each === 'string'
        ? each.replace('#/$defs/', '#/components/schemas/')
        : pointToComponents(each),
    ]),
  )
}

export function sortKeys(object: Json): Json {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}
