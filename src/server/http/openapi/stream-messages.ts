import {
  deliveredDeviceEvent,
  deliveredHealthEvent,
  deliveredLifecycleEvent,
} from '#contract/records/events/platform-event.ts'
import { type Json, toSchema } from './schemas.ts'

/** The keys are the event names in the `event:` line. */
export const streamMessages = {
  DEVICE_EVENT: { schema: deliveredDeviceEvent, summary: 'A device reported an attribute', example: {} },
  DEVICE_LIFECYCLE_EVENT: {
    schema: deliveredLifecycleEvent,
    summary: 'A device was added, changed, removed or moved to another room. Sent if a filter selects it',
    example: { deviceLifecycleEvent: { create: {} } },
  },
  DEVICE_HEALTH_EVENT: {
    schema: deliveredHealthEvent,
    summary: 'A device reported its health. Sent if a filter selects it',
    example: {},
  },
} as const

const linesOf = (event: string) => ({
  type: 'object',
  properties: {
    event: { type: 'string', const: event },
    id: { type: 'string', pattern: '^[0-9]+-[0-9]+$', examples: ['1-42'] },
  },
  required: event === 'CONTROL_EVENT' ? ['event'] : ['event', 'id'],
})

/** Document 2, section 6, shows only `welcome`. The other texts are choices of vendor-cloud. */
export const controlEvent = {
  name: 'CONTROL_EVENT',
  title: 'CONTROL_EVENT',
  summary: 'Event about the stream itself, as plain text',
  description:
    'welcome: first event. Its ID is a position to resume from. gap: some missed events are lost. goodbye: the ' +
    'subscription was deleted and the stream ends.',
  contentType: 'text/plain',
  headers: linesOf('CONTROL_EVENT'),
  payload: { type: 'string', enum: ['welcome', 'gap', 'goodbye'] },
  examples: [{ name: 'welcome', headers: { event: 'CONTROL_EVENT', id: '1-41' }, payload: 'welcome' }],
}

/** Adds the `itemSchema` of server-sent events, which only OpenAPI 3.2 supports. */
export function toStreamed(description: string): string {
  const withItems = (name: string, value: unknown) =>
    name === 'text/event-stream' ? { itemSchema: itemSchema() } : value
  return JSON.stringify({ ...(JSON.parse(description, withItems) as Json), openapi: '3.2.0' })
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
        description: controlEvent.summary,
        required: ['event', 'data'],
        properties: { event: { const: controlEvent.name }, data: controlEvent.payload },
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

type StreamMessage = (typeof streamMessages)[keyof typeof streamMessages]

export function toMessage([name, { schema, summary, example }]: [string, StreamMessage]) {
  const payload = toSchema(schema, {})
  const shown = merge(exampleOf(payload), example)
  const headers = { event: name, id: '1-42' }
  const message = {
    name,
    title: name,
    summary,
    contentType: 'application/json',
    headers: linesOf(name),
    payload,
    examples: [{ name: 'sent', headers, payload: shown }],
  }
  return [name, message] as const
}

export type Message = typeof controlEvent | ReturnType<typeof toMessage>[1]

function exampleOf(schema: Json): unknown {
  type Shape = { examples?: unknown[]; properties?: Json; required?: string[] }
  const { examples, properties, required = [] } = schema as Shape
  if ('const' in schema) return schema['const']
  if (examples) return examples[0]
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties![name] as Json)]))
}

function merge(one: unknown, more: Readonly<Record<string, object>>): unknown {
  const merged = { ...(one as Record<string, object>) }
  for (const [name, fields] of Object.entries(more)) merged[name] = { ...merged[name], ...fields }
  return merged
}
