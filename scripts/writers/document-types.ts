import { compile, type JSONSchema } from 'json-schema-to-typescript'
import * as z from 'zod'
import { billingOperations } from '../../src/contract/documents/billing/operations.ts'

/** The parts of an OpenAPI or AsyncAPI description that are used here. */
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
 * Writes the types of parameters, requests and responses of the three documents' operations. Their names are based on
 * the `operationId`, such as `GetGuestZipCodeParameters` and `GetGuestZipCodeReply`. A body is a `...Request`. Schemas
 * have their names in the documents.
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
  return [...texts, writeOperationTable(descriptions[0]?.paths ?? {})].join('\n')
}

/** Writes the operations of document 1 as a type, with the input and the response of each. */
function writeOperationTable(paths: NonNullable<Description['paths']>): string {
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId, summary, parameters = [], requestBody, responses, 'x-operation': number } = operation
      const name = toTypeName(operationId)
      const [form] = Object.keys(requestBody?.content['multipart/form-data']?.schema.properties ?? {})
      const fields = [
        parameters.some(isAsked) && `parameters: ${name}Parameters`,
        schemaIn(requestBody?.content) && `body: ${name}Request`,
        form && `form: '${form}'`,
        `reply: ${name}Reply${'204' in responses ? ' | undefined' : ''}`,
      ]
      return `/** ${number}: ${summary} */\n'${method.toUpperCase()} ${path}': { ${fields.filter(Boolean).join('; ')} }\n`
    }),
  )
  return `/** The operations of document 1 */\nexport interface SupportOperations {\n${rows.join('')}}\n`
}

function schemasOf(request: string, operation: DescribedOperation): [string, JSONSchema][] {
  const { operationId, summary, parameters = [], requestBody, responses, 'x-operation': number } = operation
  const name = toTypeName(operationId)
  const place = number === undefined ? request : `Document 1, operation ${number}: ${request}`
  const asked = parameters.filter(isAsked)
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

function isAsked(parameter: { in: string }): boolean {
  return parameter.in === 'query' || parameter.in === 'path'
}

function schemaIn(content: Content = {}): JSONSchema | undefined {
  return Object.entries(content).find(([type]) => type.startsWith('application/json'))?.[1].schema
}

/** Returns the schemas of document 3, whose operations are described by a WSDL with the same fields. */
function billingSchemas(): [string, JSONSchema][] {
  const toSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { unrepresentable: 'any' }) as JSONSchema
  return [
    ...Object.entries(billingOperations).map(([name, { input }]): [string, JSONSchema] => [
      `${toTypeName(name)}Request`,
      { ...toSchema(input), description: `Inputs of ${name}. Document 3, section 2` },
    ]),
    [
      'SubscriptionStatus',
      {
        ...toSchema(billingOperations.getSubscriptionStatus.output),
        description: 'Output of getSubscriptionStatus. Document 3, section 2',
      },
    ],
  ]
}

function toTypeName(name: string): string {
  return name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Writes one declaration, but not the declarations that it references. */
async function declare(name: string, schema: JSONSchema, named: ReadonlyMap<string, JSONSchema>): Promise<string> {
  const reference = toReference(schema)
  if (reference !== undefined && named.has(reference)) {
    return `/** ${schema.description} */\nexport type ${name} = ${reference}\n`
  }
  const inside = JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (typeof value !== 'object' || value === null || key === 'properties') return value
    const tsType = toReference(value) ?? (isAnything(value) ? 'unknown' : undefined)
    return tsType === undefined ? value : { ...value, tsType, $ref: undefined }
  }) as JSONSchema
  const style = { bannerComment: '', additionalProperties: false, format: false, ignoreMinAndMaxItems: true }
  return compile({ ...inside, title: name }, name, style)
}

function toReference(schema: object): string | undefined {
  const target = '$ref' in schema && typeof schema.$ref === 'string' ? schema.$ref : undefined
  return target?.replace('#/components/schemas/', '')
}

/** A schema that accepts any value needs the type `unknown`, because it would otherwise be written as an object. */
function isAnything(schema: object): boolean {
  return (
    'description' in schema && !/"(type|anyOf|oneOf|allOf|enum|const|properties|tsType)":/.test(JSON.stringify(schema))
  )
}
