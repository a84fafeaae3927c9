import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { z } from 'zod'
import { calls } from '../src/schemas/billing/calls.ts'
import { subscriptionStatus } from '../src/schemas/billing/subscription-status.ts'

/** What is read here of a description in OpenAPI, or in AsyncAPI for the stream. */
export interface Description {
  paths?: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  components: {
    schemas?: Readonly<Record<string, JSONSchema>>
    messages?: Readonly<Record<string, { payload: JSONSchema; summary?: string }>>
  }
}

interface DescribedOperation {
  operationId: string
  summary: string
  'x-operation'?: number
  parameters?: readonly { name: string; in: string; required: boolean; description?: string; schema: JSONSchema }[]
  requestBody?: { content: Content }
  responses: Readonly<Record<string, { content?: Content }>>
}
type Content = Readonly<Record<string, { schema: JSONSchema }>>

/**
 * Types of what the three documents' operations take and answer, named after the `operationId` of their descriptions:
 * `GetGuestZipCodeParameters`, `GetGuestZipCodeReply`; a body is a `...Request`. Schemas have their documents' names.
 */
export async function writeDocumentTypes(descriptions: readonly Description[]): Promise<string> {
  const named = new Map<string, JSONSchema>(billingSchemas())
  for (const { paths = {}, components } of descriptions) {
    for (const [name, schema] of Object.entries(components.schemas ?? {})) named.set(name, schema)
    for (const [name, { payload, summary }] of Object.entries(components.messages ?? {})) {
      named.set(toTypeName(name.toLowerCase()), { description: summary, ...payload })
    }
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        for (const [name, schema] of schemasOf(`${method.toUpperCase()} ${path}`, operation)) named.set(name, schema)
      }
    }
  }
  const texts = await Promise.all([...named].map(([name, schema]) => declare(name, schema, named)))
  return texts.join('\n')
}

function schemasOf(request: string, operation: DescribedOperation): [string, JSONSchema][] {
  const { operationId, summary, parameters = [], requestBody, responses, 'x-operation': number } = operation
  const name = toTypeName(operationId)
  const place = number === undefined ? request : `Document 1, operation ${number}: ${request}`
  const asked = parameters.filter((each) => each.in === 'query' || each.in === 'path')
  const body = schemaIn(requestBody?.content)
  const reply = schemaIn(Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content)
  const found: [string, JSONSchema][] = []
  if (asked.length > 0) {
    const properties = Object.fromEntries(
      asked.map((each) => [each.name, { description: each.description, ...each.schema }]),
    )
    const required = asked.filter((each) => each.required).map((each) => each.name)
    found.push([`${name}Parameters`, { type: 'object', properties, required }])
  }
  if (body) found.push([`${name}Request`, body])
  if (reply) found.push([`${name}Reply`, reply])
  return found.map(([each, schema]) => [each, { ...schema, description: `${summary}. ${place}` }])
}

function schemaIn(content: Content = {}): JSONSchema | undefined {
  return content['application/json']?.schema
}

/** Document 3's operations are described by its WSDL; these are the same fields. */
function billingSchemas(): [string, JSONSchema][] {
  const toSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { unrepresentable: 'any' }) as JSONSchema
  return [
    ...Object.entries(calls).map(([name, schema]): [string, JSONSchema] => [
      `${toTypeName(name)}Request`,
      { ...toSchema(schema), description: `Inputs of ${name}. Document 3, section 2` },
    ]),
    [
      'SubscriptionStatus',
      { ...toSchema(subscriptionStatus), description: 'Output of getSubscriptionStatus. Document 3, section 2' },
    ],
  ]
}

/** `getGuestZipCode` and `device_event` as names of types. */
function toTypeName(name: string): string {
  return name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** One declaration; of the others it names, not theirs again. */
async function declare(name: string, schema: JSONSchema, named: ReadonlyMap<string, JSONSchema>): Promise<string> {
  const reference = toReference(schema)
  if (reference && named.has(reference)) return `/** ${schema.description} */\nexport type ${name} = ${reference}\n`
  const inside = JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (typeof value !== 'object' || value === null || key === 'properties') return value
    const tsType = toReference(value) ?? (isAnything(value) ? 'unknown' : undefined)
    return tsType === undefined ? value : { ...value, tsType, $ref: undefined }
  }) as JSONSchema
  return compile({ ...inside, title: name }, name, { bannerComment: '', additionalProperties: false, format: false })
}

function toReference(schema: object): string | undefined {
  const target = '$ref' in schema && typeof schema.$ref === 'string' ? schema.$ref : undefined
  return target?.replace('#/components/schemas/', '')
}

/** What takes any value would be written as an object. */
function isAnything(schema: object): boolean {
  return (
    'description' in schema && !/"(type|anyOf|oneOf|allOf|enum|const|properties|tsType)":/.test(JSON.stringify(schema))
  )
}
