import type { FastifyContextConfig } from 'fastify'
import * as z from 'zod'
import { findExample, type RequestDraft } from '#contract/example.ts'
import { toOperationId } from '#contract/documents/operation-id.ts'
import type { Heading, OperationContract } from '#contract/operation.ts'
import { metaOf, shapeOf } from '../input/findings.ts'
import { type Json, toSchema } from './schemas.ts'

export interface RouteDescription {
  method: string
  url: string
  config: FastifyContextConfig
}

export interface OperationDescription
  extends Omit<OperationContract, 'route' | 'reply' | 'otherStatuses'>,
    Pick<Heading<string>, 'scope' | 'tag'> {
  response: Readonly<Record<string, z.ZodType>>
  /** Statuses that the document declares with the same body as 200, but that the server never returns. */
  alsoDeclared: readonly number[]
}

const meanings: Readonly<Record<string, string>> = {
  200: 'Success',
  201: 'Declared by the document. By default the server returns 200 instead, with the same body.',
  202: 'Accepted',
  204: 'No content',
  400: 'Bad request. The body lists all validation errors.',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  406: 'Not acceptable',
  409: 'Conflict',
  413: 'Payload too large',
  415: 'Unsupported media type',
  429: 'Too many requests',
  500: 'Internal server error',
  503: 'Service unavailable',
}

export function toOperation(
  { method, url, config }: RouteDescription,
  headers: z.ZodObject | undefined,
  reply: unknown,
  components: Json,
): Json {
  const described = config.describe!()
  const example = findExample(described)
  const parameters = [
    ...toParameters(described.params, 'path', example, components),
    ...toParameters(described.query, 'query', example, components),
    ...toParameters(headers, 'header', example, components),
    ...toParameters(described.headers, 'header', example, components),
  ]
  return {
    operationId: typeof config.operation === 'string' ? config.operation : toOperationId(method, url),
    summary: described.summary ?? `${method} ${url}`,
    description: described.description || undefined,
    tags: [described.tag],
    'x-operation': typeof config.operation === 'number' ? config.operation : undefined,
    'x-example-needs': described.example?.needs,
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: described.body && toRequestBody(described, example, components),
    responses: toResponses(described, reply, components),
  }
}

const NEEDED = 'Optional in the document, but required by the server (choice required-bodies)'

function toParameters(
  schema: z.ZodType | undefined,
  place: string,
  example: RequestDraft | undefined,
  components: Json,
): Json[] {
  const sent: Json | undefined = example && { ...example.headers, ...example.params, ...example.query }
  return Object.entries(shapeOf(schema)).map(([name, field]) => {
    const { description = '', examples, ...rest } = toSchema(field, components)
    const isNeeded = !field.safeParse(undefined).success
    const isOptional = metaOf(field)['optionalInDocument'] === true
    // Only sent parameters have a value, because all values together might contradict each other.
    const isDisplayed = !sent || place === 'path'
    const given = sent?.[name] ?? rest['const'] ?? (isDisplayed ? (examples as unknown[] | undefined)?.[0] : undefined)
    const words = [description, ...(isNeeded && isOptional ? [NEEDED] : [])].filter(Boolean).join('. ')
    return {
      name,
      in: place,
      required: place === 'path' || (isNeeded && !isOptional),
      description: words || undefined,
      schema: rest,
      ...(rest['type'] === 'array' && { style: 'form', explode: true }),
      example: given === undefined ? undefined : toTyped(given, rest['type']),
    }
  })
}

/** Parameters in examples are strings. Converts a string to the type in the schema, for display. */
function toTyped(given: unknown, type: unknown): unknown {
  if (type === 'integer' || type === 'number') return Number(given)
  return type === 'boolean' ? given === 'true' : given
}

function toRequestBody(
  { body, consumes = ['application/json'], optionalBody = false }: OperationDescription,
  example: RequestDraft | undefined,
  components: Json,
): Json {
  // A multipart form is text, so it cannot be shown as an example of the schema.
  const shown = typeof example?.body === 'string' ? undefined : example?.body
  const { required, ...schema } = toSchema(body!, components) as Json & { required?: string[] }
  const optional = Object.entries(shapeOf(body)).filter(([, field]) => metaOf(field)['optionalInDocument'] === true)
  const needed = required?.filter((name) => !optional.some(([other]) => other === name)) ?? []
  const media = { schema: { ...schema, required: needed.length > 0 ? needed : undefined }, example: shown }
  return {
    description: optionalBody ? NEEDED : undefined,
    required: !optionalBody,
    content: Object.fromEntries(consumes.map((type) => [type, media])),
  }
}

const RETRY_AFTER = { description: 'Seconds to wait before the next attempt', schema: { type: 'integer' } }

function toResponses(
  { response, alsoDeclared, words, produces = ['application/json'] }: OperationDescription,
  reply: unknown,
  components: Json,
): Json {
  const also = alsoDeclared.map((status) => [String(status), response['200']!] as const)
  const responses = [...Object.entries(response), ...also].sort(([a], [b]) => Number(a) - Number(b))
  return Object.fromEntries(
    responses.map(([status, body]) => {
      const description = words?.[Number(status)] ?? meanings[status] ?? body.description ?? status
      if (body instanceof z.ZodUndefined) return [status, { description }]
      const ofErrors = produces.filter((type) => /^application\/json\b/.test(type))
      const types = status === '200' ? produces : ofErrors.length > 0 ? ofErrors : ['application/json']
      const media = { schema: toSchema(body, components), example: status === '200' ? reply : undefined }
      const headers = status === '429' ? { 'Retry-After': RETRY_AFTER } : undefined
      return [status, { description, headers, content: Object.fromEntries(types.map((type) => [type, media])) }]
    }),
  )
}
