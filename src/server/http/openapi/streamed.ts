import { streamMessages } from './stream-messages.ts'
import { type Json, toSchema } from './schemas.ts'

const STREAM = 'text/event-stream'

/**
 * Only OpenAPI 3.2 can describe the items of a stream: `itemSchema` of its media type, by the lines of a server-sent
 * event.
 */
export function toStreamed(description: Json): Json {
  return { ...description, openapi: '3.2.0', paths: withItems(description['paths']) as Json }
}

function withItems(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withItems)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === STREAM ? { itemSchema: itemSchema() } : withItems(each),
    ]),
  )
}

function itemSchema(): Json {
  return {
    type: 'object',
    properties: {
      event: { type: 'string' },
      data: { type: 'string' },
      id: { type: 'string', pattern: '^[0-9]+-[0-9]+$' },
      retry: { type: 'integer', minimum: 0 },
    },
    oneOf: [
      {
        description: 'Of the stream itself, as bare text',
        required: ['event', 'data'],
        properties: {
          event: { const: 'CONTROL_EVENT' },
          data: { type: 'string', enum: ['welcome', 'gap', 'goodbye'] },
        },
      },
      ...Object.entries(streamMessages).map(([event, { schema, summary }]) => ({
        description: summary,
        required: ['event', 'data', 'id'],
        properties: {
          event: { const: event },
          data: { type: 'string', contentMediaType: 'application/json', contentSchema: toSchema(schema, {}) },
        },
      })),
    ],
  }
}
