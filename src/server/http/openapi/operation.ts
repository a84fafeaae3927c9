import type { FastifyContextConfig } from 'fastify'
import { z } from 'zod'
import { findExample, type RequestParts } from '#contract/example.ts'
import { toOperationId } from '#contract/documents/operation-id.ts'
import type { Heading, OperationContract } from '#contract/operation.ts'
import { metaOf, shapeOf } from '../input/findings.ts'
import { type Json, toSchema } from './schemas.ts'
import { NEEDED, toParameters } from './parameters.ts'

export interface RouteDescription {
  method: string
  url: string
  config: FastifyContextConfig
}

export interface OperationDescription
  extends Omit<OperationContract, 'route' | 'reply' | 'otherStatuses'>,
    Pick<Heading<string>, 'scope' | 'tag'> {
  response: Readonly<Record<string, z.ZodType>>
  /** The document declares these statuses with the body of 200, and we do not answer them. */
  alsoDeclared: readonly number[]
}

const meanings: Readonly<Record<string, string>> = {
  200: 'Success',
  201: 'Declared by the document with the same body; this server answers 200',
  204: 'No content',
  400: 'Bad request: the body lists everything that is wrong with it',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
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
  const { needs } = described.example ?? {}
  const example = findExample(described)
  const number = typeof config.operation === 'number' ? { 'x-operation': config.operation } : {}
  const parameters = [
    ...toParameters(described.params, 'path', example, components),
    ...toParameters(described.query, 'query', example, components),
    ...toParameters(headers, 'header', example, components),
    ...toParameters(described.headers, 'header', example, components),
  ]
  return {
    operationId: typeof config.operation === 'string' ? config.operation : toOperationId(method, url),
    summary: described.summary ?? `${method} ${url}`,
    ...(described.description ? { description: described.description } : {}),
    tags: [described.tag],
    ...number,
    ...(needs ? { 'x-example-needs': needs } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(described.body ? { requestBody: toRequestBody(described, example, components) } : {}),
    responses: toResponses(described, reply, components),
  }
}

function toRequestBody(
  { body, consumes = ['application/json'], optionalBody = false }: OperationDescription,
  example: RequestParts | undefined,
  components: Json,
): Json {
  // A form cannot be written as a value of its schema.
  const shown = example?.body === undefined || typeof example.body === 'string' ? {} : { example: example.body }
  const { required, ...schema } = toSchema(body!, components) as Json & { required?: string[] }
  const optional = Object.entries(shapeOf(body)).filter(([, field]) => metaOf(field)['optionalInDocument'] === true)
  const needed = required?.filter((name) => !optional.some(([other]) => other === name)) ?? []
  const media = { schema: { ...schema, ...(needed.length > 0 && { required: needed }) }, ...shown }
  const note = optionalBody ? { description: NEEDED } : {}
  return { ...note, required: !optionalBody, content: Object.fromEntries(consumes.map((type) => [type, media])) }
}

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
      const example = status === '200' && reply !== undefined ? { example: reply } : {}
      const ofErrors = produces.filter((type) => type.startsWith('application/json'))
      const types = status === '200' ? produces : ofErrors.length > 0 ? ofErrors : ['application/json']
      const media = { schema: toSchema(body, components), ...example }
      return [status, { description, content: Object.fromEntries(types.map((type) => [type, media])) }]
    }),
  )
}
