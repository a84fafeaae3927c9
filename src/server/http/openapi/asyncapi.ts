import { streamHeaders } from '../connection/sse.ts'
import { controlEvent, type Message, streamMessages, toMessage } from './stream-messages.ts'

const introduction =
  'Event stream of a subscription (server-sent events). The URL is the `registrationUrl` in the response to the ' +
  'creation of the subscription, see events.yaml.'

const address =
  'The URL contains a key that opens the stream, because EventSource in browsers cannot send headers. With the ' +
  'bearer token of the owner, the key is not required. Each combination of user and token has one stream: a new ' +
  'connection to the same subscription replaces the previous one, and a stream of another subscription returns ' +
  '409. A response of 204 means that a newer stream is open and the client must not reconnect.'

/** Describes the format of server-sent events in words, because AsyncAPI has no binding for this format. */
const framing = {
  headers: streamHeaders,
  lines: 'An event line, one data line and an id line, in this order. Line endings are LF. UTF-8, not compressed.',
  retry: '3000, sent once with the welcome event. STREAM_RETRY_MS or the world can set another value.',
  heartbeat:
    'A comment line (a colon and a line feed, no empty line) every 20 seconds. HEARTBEAT_SECONDS can change this.',
  id:
    '{generation}-{sequence}, in every device event, welcome event and gap event. Each connection to the ' +
    'subscription increments the generation, each event the sequence.',
  resume:
    'A client that reconnects with Last-Event-ID, or with lastEventId or lastEventID in the query, gets the ' +
    'missed events that match the current filters, in order and once. The history contains up to 1000 events of ' +
    'the last 10 minutes. If events were lost, a gap event follows the welcome event.',
}

export function describeStream() {
  const messages: Readonly<Record<string, Message>> = {
    CONTROL_EVENT: controlEvent,
    ...Object.fromEntries(Object.entries(streamMessages).map(toMessage)),
  }
  const names = Object.keys(messages)
  const pointTo = (base: string) => names.map((name) => ({ $ref: `#/${base}/messages/${name}` }))
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Event stream',
      version: '1',
      description: introduction,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      tags: [{ name: 'Stream' }],
    },
    defaultContentType: 'application/json',
    servers: {
      local: { host: 'localhost:8080', protocol: 'http', description: 'This server with default settings' },
    },
    channels: {
      stream: {
        address: '/filters/{subscriptionId}/activate',
        title: 'registrationUrl',
        description: address,
        parameters: { subscriptionId: { description: 'ID of the subscription' } },
        messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
        'x-server-sent-events': framing,
      },
    },
    operations: {
      sendEvents: {
        action: 'send',
        title: 'Open the stream and read it',
        channel: { $ref: '#/channels/stream' },
        messages: pointTo('channels/stream'),
        security: ['key', 'bearer'].map((name) => ({ $ref: `#/components/securitySchemes/${name}` })),
        bindings: { http: { method: 'GET', query, bindingVersion: '0.3.0' } },
      },
    },
    components: {
      messages,
      securitySchemes: {
        key: { type: 'httpApiKey', in: 'query', name: 'key', description: 'Key, part of registrationUrl' },
        bearer: { type: 'http', scheme: 'bearer', description: 'Bearer token of the owner of the subscription' },
      },
    },
  }
}

const query = {
  type: 'object',
  properties: {
    filterRegion: { type: 'string', description: 'Ignored', examples: ['local'] },
    key: { type: 'string', description: 'Key of the stream. Can replace the bearer token.' },
    lastEventId: {
      type: 'string',
      description: 'ID of the last received event. Can be sent instead of the Last-Event-ID header.',
      examples: ['1-42'],
    },
    lastEventID: { type: 'string', description: 'Alternative spelling of lastEventId', examples: ['1-42'] },
  },
}
