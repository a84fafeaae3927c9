import { streamHeaders } from '../connection/sse.ts'
import { controlEvent, type Message, streamMessages, toMessage } from './stream-messages.ts'

const introduction =
  'What the event stream of a subscription carries. Its address is the `registrationUrl` that creating the ' +
  'subscription answers (see events.yaml): a plain GET, framed as server-sent events, from the server to ' +
  'the client only.'

const address =
  "The address holds a key that opens the stream, so that a browser's EventSource can, which sends no headers; with " +
  "the owner's bearer token the key may be left out. One stream per user and token: opening the same subscription " +
  'again takes over from the older stream, opening another one is 409. 204 says that a newer stream lives: do ' +
  'not come back.'

/** AsyncAPI has no binding for server-sent events. */
const framing = {
  headers: streamHeaders,
  lines: 'LF alone: event, one data line, then id; UTF-8; never compressed',
  retry: '3000, once, in the block of the welcome; STREAM_RETRY_MS or the world changes it',
  heartbeat: 'a comment line (: and LF, no empty line) every 20 seconds; HEARTBEAT_SECONDS changes it',
  id:
    '{generation}-{sequence}: the generation grows with each connection to the subscription, the sequence with each ' +
    'event; on every event, on welcome and on gap',
  resume:
    'A client that comes back with Last-Event-ID, or with lastEventId or lastEventID in the query, gets what it ' +
    'missed, in order and once: of the last 1000 events and 10 minutes, as the current filters say. When there was ' +
    'more, gap comes after welcome',
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
      local: { host: 'localhost:8080', protocol: 'http', description: 'This server, as it starts by default' },
    },
    channels: {
      stream: {
        address: '/filters/{subscriptionId}/activate',
        title: 'registrationUrl',
        description: address,
        parameters: { subscriptionId: { description: 'Id of the subscription' } },
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
        key: { type: 'httpApiKey', in: 'query', name: 'key', description: 'In the registrationUrl already' },
        bearer: { type: 'http', scheme: 'bearer', description: 'Of the user whose subscription it is' },
      },
    },
  }
}

const query = {
  type: 'object',
  properties: {
    filterRegion: { type: 'string', description: 'Not looked at', examples: ['local'] },
    key: { type: 'string', description: 'Opens the stream without a bearer' },
    lastEventId: { type: 'string', description: 'In the place of Last-Event-ID', examples: ['1-42'] },
    lastEventID: { type: 'string', description: 'The same, as other clients spell it', examples: ['1-42'] },
  },
}
