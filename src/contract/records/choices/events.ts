import { durationOf } from '../duration.ts'
import { defineChoices } from './choice.ts'

export const subscriptionsChoices = defineChoices('Subscriptions', 'document 2', {
  'subscription-paths': {
    silence: 'paths',
    choice: '`/subscriptions`, also under `/v1` and `/v1/sse`',
    why: 'real clients come with these',
  },
  'subscription-fields': {
    silence: 'fields',
    choice:
      '`name` (default `subscription`), `version` (default 1), 1 to 100 filters of 1 to 1,000 values; any ' +
      'media type in `Accept`',
  },
  'subscription-narrowing': {
    silence: 'what narrows a filter',
    choice:
      '`eventType[]`, `capability`, `attribute`, `component`; null or absent is any, no `eventType` is ' +
      'DEVICE_EVENT; unknown event types are taken and never sent',
  },
  'subscription-scopes': {
    silence: 'scopes',
    choice: 'each of the four types needs its own; a missing one is 403 and named',
  },
  'subscription-ids': {
    silence: "ids unknown or outside the token's locations",
    choice: '403, one and the same',
  },
  'subscription-locations': {
    silence: 'whose locations count',
    choice:
      'those of the token that POSTed or PUT the filters last, `ALL` included: another token of the user ' +
      'opens the stream and changes nothing',
  },
  'subscription-statuses': {
    silence: 'statuses',
    choice: "unknown or another's 404; bearer missing, unknown, expired, revoked 401; DELETE 204",
  },
  'subscription-replacement': {
    silence: 'PUT',
    choice: 'replaces the filters, and name and version when given; a live stream follows at once',
  },
  'subscription-ttl': {
    silence: '`SUBSCRIPTION_TTL`',
    choice: "off; seconds of the world's clock since creation, opening or leaving, never while a stream lives",
  },
})

export const streamChoices = defineChoices('Stream', 'document 2', {
  'registration-url': {
    silence: '`registrationUrl`',
    choice: '`/filters/{subscriptionId}/activate?filterRegion=local&key=...`; the key is an HMAC of the id',
    why: 'EventSource sends no headers; the store holds no key',
  },
  'stream-access': {
    silence: 'key and bearer',
    choice:
      "the owner's bearer opens without the key; key and another's bearer 403, and an invalid one 401; " +
      "another's bearer alone 404; neither 401; a wrong key 404",
  },
  'stream-key-owner': {
    silence: 'opened by its key',
    choice: "counts as the creating token's, and ends within a second of it",
  },
  'stream-framing': {
    silence: 'framing',
    choice:
      'as [stream.yaml](stream.yaml) says; `id:` comes last (a client that is cut keeps no id of half an ' +
      'event), a heartbeat is one line; any origin, without cookies',
  },
  'event-ids': {
    silence: 'event ids',
    choice: '`{generation}-{sequence}`; the generation grows with each connection; `welcome` and `gap` carry one',
  },
  'one-stream': {
    silence: '"one stream per user and token"',
    choice:
      'the same subscription: the newest connection wins, the older one that comes back by itself is ' +
      'answered 204; another one: 409 `ConflictError`, detail `LimitExceeded`',
    why: 'a client behind a dead router is the same client; EventSource stops on 204',
  },
  'control-events': {
    silence: 'control events',
    choice: '`welcome`, `gap`, and `goodbye` at DELETE',
  },
  resume: {
    silence: 'resume',
    choice:
      "by `Last-Event-ID`, or `lastEventId` in the query: 1,000 events or 10 minutes of the world's clock, " +
      'over restarts too with `DATA_DIR` or PostgreSQL; when more is lost, or the id is not ours, ' +
      '`gap` comes first',
  },
  'device-event-fields': {
    silence: 'device events',
    choice: 'have `ownerId`, `ownerType`, `commandId`, `sensitive` and `unit` too',
    why: 'real clients fail without `ownerId`',
  },
  'slow-readers': {
    silence: 'slow readers',
    choice: 'cut when 1 MiB of live events waits',
    why: 'one slow reader delays nobody',
  },
  'stream-lifetime': {
    value: durationOf('none').default('none'),
    operations: ['stream'],
    silence: 'how long a stream lives',
    choice: 'as long as its token and its client; else it ends so long after it was opened, without a goodbye',
  },
  'stream-limits': {
    silence: 'more than `MAX_STREAMS`; a stream pipelined behind another request',
    choice: '429 `LimitExceeded`; 400',
  },
  'far-clock': {
    silence: 'a clock moved far',
    choice: 'plays about the last 10,000 steps of the scenarios, an equal part of each, and one of the simulation',
  },
})
