import type { JournalEntry } from '#tools/client/types.ts'
import { between, type Chapter, isEvidence, none, some, someOf } from '../check.ts'
import { expecting, SCRIPT } from '../session.ts'
import { breakOff, comeBack, cut, drop, emit, onStream, RETRY, takeOver, task, TOKEN } from './event-streams.ts'
import {
  comesBack,
  createsAgain,
  opensAgain,
  resumes,
  resumesFrom,
  displayedBy,
  untilOpen,
} from './event-resumption.ts'
import { opens, STANDARD } from './events-always.ts'
import { kindsOf, varied } from './variation.ts'

const HOME = '11111111-0000-4000-8000-000000000001'

/** A client that sends no ID is treated as the newest generation. */
const generationOf = (id: string | undefined) => (id === undefined ? Number.POSITIVE_INFINITY : Number.parseInt(id, 10))

const resuming = {
  level: 'MUST',
  advice: 'Store the ID of the last complete event, and send it as Last-Event-ID when you reconnect.',
} as const

export const events: Chapter = [
  cut('reset', drop, {
    name: 'sends-last-event-id',
    source: `${STANDARD}.4`,
    rule: 'A disconnected client reconnects with the ID of its last event.',
    ...resuming,
  }),
  {
    name: 'events-truncated',
    task,
    play: onStream(async (session, subscriptionId) => {
      await breakOff(session, subscriptionId, 'middle')
      if (!(await comeBack(session, 'disturbed'))) return
      await emit(session.world, 'on')
      await session.pause(150)
      await session.settle()
      await session.mark('disturbed again')
      await breakOff(session, subscriptionId, 'id')
      await comeBack(session, 'disturbed again')
    }),
    checks: [
      {
        name: 'forgets-half-events',
        source: `${STANDARD}.6`,
        rule:
          'An incomplete event counts as not received, even if its ID line has arrived: the client sends the ' +
          'previous ID.',
        ...resuming,
        evaluate: (transcript) => {
          const first = resumes(transcript)
          return first === 'passed' && opens(transcript.after('disturbed')).some(({ status }) => status === 200)
            ? resumesFrom('disturbed again')(transcript)
            : first
        },
      },
    ],
  },
  cut(
    'retry',
    async (session, subscriptionId) => {
      // The last frame shows the time at which the client was cut off.
      await emit(session.world, 'off')
      await drop(session, subscriptionId)
    },
    {
      name: 'honours-retry',
      level: 'MUST',
      source: `${STANDARD}.6`,
      rule: 'A disconnected client waits for the time in `retry`.',
      advice: 'Use the milliseconds of the retry field as the waiting time.',
      evaluate: (transcript) => {
        const lastBefore = (entry: JournalEntry) => transcript.frames().findLast(({ id }) => id < entry.id)
        // If the generation is lower, the client reconnects after an earlier stream, which a newer stream has replaced.
        const isOther = (each: JournalEntry) =>
          generationOf(displayedBy(each)) < generationOf(lastBefore(each)?.frame?.id)
        const back = opens(transcript.after('disturbed')).find((each) => each.status !== 204 && !isOther(each))
        const last = back && lastBefore(back)
        if (!last) return 'not covered'
        return between(last, back) >= RETRY * 0.8 ? 'passed' : [last, back]
      },
    },
  ),
  {
    name: 'events-before-welcome',
    task,
    fault: { match: { operation: 'stream' }, respond: { reset: true }, times: 1 },
    play: async (session) => {
      await session.need({ operation: 'stream' })
      await session.mark('disturbed')
      await session.until({ operation: 'stream', status: 200 })
    },
    checks: [
      {
        name: 'survives-cut-before-welcome',
        level: 'MUST',
        source: `${STANDARD}.2`,
        rule: 'The client retries a connection that breaks before any data arrives.',
        advice: 'Retry after an error before the first byte, just as you do after a later error.',
        evaluate: (transcript) => someOf(opens(transcript), ({ status }) => status === 200),
      },
    ],
  },
  {
    name: 'events-unavailable',
    task,
    fault: { match: { operation: 'stream' }, respond: { status: 503, retryAfter: 1 }, times: 3 },
    play: expecting({ operation: 'stream' }, { next: { operation: 'stream', status: 200 } }),
    checks: [
      {
        name: 'survives-unavailable',
        level: 'SHOULD',
        source: 'RFC 9110, section 15.6.4',
        rule: 'The client retries a stream that is temporarily unavailable.',
        advice: 'EventSource gives up on 503: create a new one after a pause.',
        evaluate: (transcript) => someOf(opens(transcript), ({ status }) => status === 200),
      },
      {
        name: 'backs-off',
        level: 'SHOULD',
        source: `${STANDARD}.3`,
        rule: 'A client that is rejected repeatedly waits before it reconnects.',
        advice: 'Wait longer after each failure.',
        evaluate: (transcript) => {
          const tries = untilOpen(opens(transcript))
          const hasty = tries.filter((each, i) => {
            const before = tries.slice(0, i).findLast(({ path }) => path === each.path)
            return before && between(before, each) < RETRY * 0.8
          })
          return none(hasty, tries.slice(1))
        },
      },
    ],
  },
  {
    name: 'events-taken-over',
    task: `${task} Another client replaces your stream. Do not take it back.`,
    play: onStream(async (session, subscriptionId) => {
      const hangUp = await takeOver(session, subscriptionId)
      await session.until({ operation: 'stream', status: 204 })
      await session.pause(RETRY * 4)
      await hangUp()
    }),
    checks: [
      {
        name: 'stops-at-no-content',
        level: 'MUST',
        source: `${STANDARD}.2`,
        rule: 'A client that gets 204 does not reconnect.',
        advice: 'Stop on 204: a newer client has the stream.',
        evaluate: (transcript) => {
          const tries = opens(transcript)
          const at = tries.findIndex(({ status }) => status === 204)
          return at < 0 ? 'not covered' : none(tries.slice(at + 1), tries)
        },
      },
    ],
  },
  ...(
    [
      ['events-goodbye', 'makes-anew-after-goodbye', 'After `goodbye`, the client creates the subscription again.'],
      ['events-gone', 'makes-anew-after-404', 'If a stream is not found, the client creates the subscription again.'],
    ] as const
  ).map(([name, check, rule], i): Chapter[number] => ({
    name,
    task: `${task} If the subscription is gone, create another.`,
    play: onStream(async (session, subscriptionId) => {
      if (i === 0) {
        const headers = { authorization: `Bearer ${TOKEN}`, 'user-agent': SCRIPT }
        await session.world.fetch(`/subscriptions/${subscriptionId}`, { method: 'DELETE', headers })
      } else {
        // The subscription is deleted first, so that a client that reconnects immediately does not find it.
        await session.world.records.delete('subscriptions', subscriptionId)
        await drop(session, subscriptionId)
      }
      await session.until({ operation: 'createSubscription', status: 200 }, { after: 'disturbed' })
    }),
    checks: [
      {
        name: check,
        level: 'SHOULD',
        source: 'our choice',
        rule,
        advice: 'Send POST /subscriptions again, and follow the new URL.',
        evaluate: createsAgain,
      },
    ],
  })),
  {
    name: 'events-token-ends',
    task:
      `${task} The token expires during the scenario. Get another ` +
      '(POST /_control/tokens {"user": "alice-home", "scopes": ["r:locations:*"], "locations": ' +
      `["${HOME}"], "expiresIn": 3600}, in place of the vendor's token service, which returns {accessToken}).`,
    play: onStream(async (session) => {
      await session.world.tokens.revoke(TOKEN)
      await comeBack(session, 'disturbed')
    }),
    checks: [
      {
        name: 'renews-its-token',
        level: 'MUST',
        source: 'RFC 6750, section 3.1',
        rule: 'A client with an expired token gets a new one and continues.',
        advice:
          'Treat 401 as the expiry of the token: renew it, send PUT /subscriptions/{id} with it, and open the URL again.',
        evaluate: opensAgain,
      },
    ],
  },
  {
    name: 'events-gap',
    task: `${task} After a gap event, read the subscription again (GET /subscriptions/{id}).`,
    play: onStream(async (session, subscriptionId) => {
      // The delay ensures that the gap exists before a client that reconnects quickly resumes its stream.
      await session.world.faults.add({ match: { operation: 'stream' }, delayMs: 1000, times: 1 })
      await drop(session, subscriptionId)
      await emit(session.world, 'lost')
      await session.world.clock.advance('PT11M')
      await emit(session.world, 'kept')
      await session.until({ operation: 'getSubscription' }, { after: 'disturbed' })
    }),
    checks: [
      {
        name: 'takes-gap',
        level: 'INFO',
        source: 'our choice',
        rule: 'A client that gets a gap event reads the state again.',
        advice: 'After the control event `gap`, do not continue as if no events were lost.',
        evaluate: (transcript) => {
          const gaps = transcript.frames().filter(({ frame }) => frame?.data === 'gap')
          return some(transcript.after('disturbed').requests('getSubscription'), gaps)
        },
      },
    ],
  },
  {
    name: 'events-quiet',
    task: `${task} There may be no events for a while. A heartbeat arrives every HEARTBEAT_SECONDS.`,
    play: onStream(async (session) => {
      await session.pause(2000)
      await emit(session.world, 'off')
      await session.pause(100)
    }),
    checks: [
      {
        name: 'bears-quiet-streams',
        level: 'SHOULD',
        source: 'our choice',
        rule: 'A stream without events stays open: heartbeats show that it is alive.',
        advice: 'Treat a stream as dead after three missed heartbeats, not sooner.',
        evaluate: (transcript) => {
          const [, ...again] = opens(transcript).filter(({ status, tookOver }) => status === 200 && !tookOver)
          return isEvidence(again) ? again : some(transcript.after('disturbed').frames(), opens(transcript))
        },
      },
    ],
  },
  {
    name: 'events-stalled',
    task: `${task} A heartbeat arrives every HEARTBEAT_SECONDS.`,
    play: onStream(async (session, subscriptionId) => {
      await session.injectFault(subscriptionId, { action: 'stall', ms: 60_000 })
      await session.until({ operation: 'stream', method: 'GET' }, { after: 'disturbed' })
    }),
    checks: [
      {
        name: 'notices-a-stall',
        level: 'SHOULD',
        source: 'our choice',
        rule: 'The client reopens a stream that sent no data for the time of three heartbeats.',
        advice:
          'Restart a timer whenever bytes arrive. EventSource does not report heartbeats, so restart the timer in ' +
          'a client that reads the stream itself, or accept the risk.',
        evaluate: comesBack,
      },
    ],
  },
  ...varied({
    document: 'events',
    kinds: [
      ...(['json-order', 'json-extra', 'json-escape', 'json-null', 'json-enum'] as const),
      ...kindsOf('http'),
      // A different `retry` value would only make the scenario slower.
      ...kindsOf('sse').filter((kind) => kind !== 'sse-retry'),
    ],
    task,
    play: onStream(async (session, subscriptionId) => {
      // Every seed splits this many events into chunks. A reset would discard data that the client has not read.
      for (let i = 0; i < 6; i++) await emit(session.world, 'é🚲'.repeat(100))
      await session.settle()
      await session.mark('disturbed')
      const hangUp = await takeOver(session, subscriptionId)
      await hangUp()
      // The newer stream was opened with the first request, so the client sends the second one.
      await session.until({ operation: 'stream', method: 'GET' }, { after: 'disturbed', count: 2 })
    }),
    evaluate: resumes,
  }),
]
