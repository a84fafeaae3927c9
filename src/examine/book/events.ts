import type { JournalEntry, VendorCloudWorld } from '../../client/world.ts'
import { between, type Chapter, type Check, header, none, type Seen, some, someOf, type Verdict } from '../check.ts'
import { expecting, SCRIPT, type Stage } from '../stage.ts'
import { creations, opens, STANDARD } from './events-always.ts'
import { kindsOf, varied } from './variation.ts'

const LIGHT = 'aaaaaaaa-0000-4000-8000-000000000001'
const TOKEN = 'token-home'
/** Milliseconds that the worlds ask their clients to wait. */
export const RETRY = 600

const task =
  'Make a subscription to all locations of VENDOR_CLOUD_TOKEN (POST /subscriptions), open its registrationUrl, and ' +
  'follow the stream until you are ended.'

async function emit({ events }: VendorCloudWorld, value: string): Promise<void> {
  await events.emit(LIGHT, { capability: 'switch', attribute: 'switch', value, force: true })
}

/** Once the client has opened a stream and seen three events. */
function onStream(act: (stage: Stage, subscriptionId: string) => Promise<unknown>): Chapter[number]['play'] {
  return async (stage) => {
    const stream = await stage.stream()
    if (!stream) return
    for (const value of ['on', 'off', 'on']) await emit(stage.world, value)
    await stage.until({ path: '*', operation: 'stream' }, { count: 1 })
    await stage.pause(150)
    await stage.mark('disturbed')
    await act(stage, stream.subscriptionId)
  }
}

/**
 * The ids that a client may have had last: of the last frame, and where lines end with CR of the one before, since
 * whoever waits for the LF of a CRLF has the last one only with the next byte.
 */
function lastIdsBefore(seen: Seen, mark: string): (string | undefined)[] {
  const before = seen.before(mark)
  const ids = before.frames().flatMap(({ frame }) => frame?.id ?? [])
  const [opened] = opens(before)
  return ids.length === 0 ? [undefined] : ids.slice(opened?.variation?.includes('sse-line-ends') ? -2 : -1)
}

function resumes(seen: Seen): Verdict {
  const later = opens(seen.after('disturbed'))
  if (later.length === 0)
    return seen.after('disturbed').requests().length > 0 ? seen.after('disturbed').requests() : opens(seen)
  const expected = lastIdsBefore(seen, 'disturbed')
  const shown = (entry: JournalEntry) =>
    header(entry, 'last-event-id') ?? new URLSearchParams(entry.query ?? '').get('lastEventId') ?? undefined
  return expected.includes(shown(later[0]!)) ? 'passed' : [later[0]!]
}

function comesBack(seen: Seen): Verdict {
  return opens(seen).length === 0 ? 'not met' : some(opens(seen.after('disturbed')), opens(seen))
}

function makesAnew(seen: Seen): Verdict {
  if (opens(seen).length === 0) return 'not met'
  const later = seen.after('disturbed')
  const anew = creations(later).filter(({ status }) => status === 200)
  return some(anew, later.requests().length > 0 ? later.requests() : opens(seen))
}

/** Another client opens the stream: what was sent on the older one is read before its end. Gives what hangs up. */
async function takeOver({ world }: Stage, subscriptionId: string): Promise<() => Promise<void>> {
  const newer = new AbortController()
  const stream = await world.fetch(`/filters/${subscriptionId}/activate?filterRegion=local`, {
    headers: { authorization: `Bearer ${TOKEN}`, 'user-agent': SCRIPT },
    signal: newer.signal,
  })
  return async () => {
    newer.abort()
    await stream.body?.cancel().catch(() => {})
  }
}

/** Cuts the stream in some way, and waits until the client is there again. */
function cut(
  name: string,
  disturb: (stage: Stage, subscriptionId: string) => Promise<unknown>,
  check: Omit<Check, 'judge'> & Partial<Check>,
): Chapter[number] {
  return {
    name: `events-${name}`,
    task,
    play: onStream(async (stage, subscriptionId) => {
      await disturb(stage, subscriptionId)
      await stage.until({ operation: 'stream', method: 'GET' }, { after: 'disturbed' })
      await stage.pause(50)
    }),
    checks: [{ judge: resumes, ...check }],
  }
}

const drop = (stage: Stage, subscriptionId: string) => stage.disturb(subscriptionId, { action: 'drop' })

const resuming = {
  level: 'MUST',
  advice: 'Keep the id of the last event that came whole, and send it as Last-Event-ID when you come back.',
} as const

export const events: Chapter = [
  cut('reset', drop, {
    name: 'sends-last-event-id',
    source: `${STANDARD}.4`,
    rule: 'A client that was cut off comes back and shows the last event that it had.',
    ...resuming,
  }),
  cut(
    'truncated',
    async (stage, subscriptionId) => {
      await stage.disturb(subscriptionId, { action: 'truncate' })
      await emit(stage.world, 'off')
    },
    {
      name: 'forgets-half-events',
      source: `${STANDARD}.6`,
      rule: 'An event that broke off was not had: the id shown is that of the one before.',
      ...resuming,
    },
  ),
  cut(
    'retry',
    async (stage, subscriptionId) => {
      // The last frame tells when.
      await emit(stage.world, 'off')
      await drop(stage, subscriptionId)
    },
    {
      name: 'honours-retry',
      level: 'MUST',
      source: `${STANDARD}.6`,
      rule: 'A client that was cut off waits as long as `retry` said.',
      advice: 'Take the milliseconds of the retry field as the time to wait.',
      judge: (seen) => {
        const [, back] = opens(seen)
        if (!back) return 'not met'
        const last = seen.frames().findLast(({ id }) => id < back.id)!
        return between(last, back) >= RETRY * 0.8 ? 'passed' : [back]
      },
    },
  ),
  {
    name: 'events-before-welcome',
    task,
    prepare: ({ world }) => world.faults.add({ match: { operation: 'stream' }, respond: { reset: true }, times: 1 }),
    play: async (stage) => {
      await stage.need({ operation: 'stream' })
      await stage.mark('disturbed')
      await stage.until({ operation: 'stream', status: 200 })
    },
    checks: [
      {
        name: 'survives-cut-before-welcome',
        level: 'MUST',
        source: `${STANDARD}.2`,
        rule: 'A connection that breaks before anything came is tried again.',
        advice: 'Treat an error before the first byte as one behind it.',
        judge: (seen) => someOf(opens(seen), ({ status }) => status === 200),
      },
    ],
  },
  {
    name: 'events-unavailable',
    task,
    prepare: ({ world }) =>
      world.faults.add({ match: { operation: 'stream' }, respond: { status: 503, retryAfter: 1 }, times: 3 }),
    play: expecting({ operation: 'stream' }, { next: { operation: 'stream', status: 200 } }),
    checks: [
      {
        name: 'survives-unavailable',
        level: 'SHOULD',
        source: 'RFC 9110, section 15.6.4',
        rule: 'A stream that is unavailable for a while is tried again.',
        advice: 'An EventSource gives up at 503: make a new one after a pause.',
        judge: (seen) => someOf(opens(seen), ({ status }) => status === 200),
      },
      {
        name: 'backs-off',
        level: 'SHOULD',
        source: `${STANDARD}.3`,
        rule: 'A client that is refused again and again does not come again at once.',
        advice: 'Wait longer after each failure.',
        judge: (seen) => {
          const tries = opens(seen)
          const hasty = tries.filter((each, i) => i > 0 && between(tries[i - 1]!, each) < RETRY * 0.8)
          return none(hasty, tries.slice(1))
        },
      },
    ],
  },
  {
    name: 'events-taken-over',
    task: `${task} Another client takes your stream over: leave it to that one.`,
    play: onStream(async (stage, subscriptionId) => {
      const hangUp = await takeOver(stage, subscriptionId)
      await stage.until({ operation: 'stream', status: 204 })
      await stage.pause(RETRY * 4)
      await hangUp()
    }),
    checks: [
      {
        name: 'stops-at-no-content',
        level: 'MUST',
        source: `${STANDARD}.2`,
        rule: 'A client that is answered 204 does not come back.',
        advice: 'Stop at 204: somebody newer has the stream.',
        judge: (seen) => {
          const tries = opens(seen)
          const at = tries.findIndex(({ status }) => status === 204)
          return at < 0 ? 'not met' : none(tries.slice(at + 1), tries)
        },
      },
    ],
  },
  ...(
    [
      ['events-goodbye', 'makes-anew-after-goodbye', 'A subscription that ends with goodbye is made anew.'],
      ['events-gone', 'makes-anew-after-404', 'A stream that is not found any more is made anew.'],
    ] as const
  ).map(([name, check, rule], i): Chapter[number] => ({
    name,
    task: `${task} Should the subscription be gone, make another.`,
    play: onStream(async (stage, subscriptionId) => {
      if (i === 0) {
        const headers = { authorization: `Bearer ${TOKEN}`, 'user-agent': SCRIPT }
        await stage.world.fetch(`/subscriptions/${subscriptionId}`, { method: 'DELETE', headers })
      } else {
        await drop(stage, subscriptionId)
        await stage.world.records.delete('subscriptions', subscriptionId)
      }
      await stage.until({ operation: 'createSubscription', status: 200 }, { after: 'disturbed' })
    }),
    checks: [
      {
        name: check,
        level: 'SHOULD',
        source: 'our choice',
        rule,
        advice: 'Send POST /subscriptions again, and follow the new address.',
        judge: makesAnew,
      },
    ],
  })),
  {
    name: 'events-token-ends',
    task:
      `${task} The token ends on the way: get another ` +
      "(POST /_control/tokens, in the place of the vendor's token service).",
    play: onStream(async (stage) => {
      await stage.world.tokens.revoke(TOKEN)
      await stage.until({ operation: 'createSubscription', status: 200 }, { after: 'disturbed' })
    }),
    checks: [
      {
        name: 'renews-its-token',
        level: 'MUST',
        source: 'RFC 6750, section 3.1',
        rule: 'A client whose token has ended gets another and goes on.',
        advice: 'Treat 401 as the end of the token: renew it, then make the subscription anew.',
        judge: makesAnew,
      },
    ],
  },
  {
    name: 'events-gap',
    task: `${task} When you are told of a gap, read the subscription again (GET /subscriptions/{id}).`,
    play: onStream(async (stage, subscriptionId) => {
      // Who comes back soon is answered when the gap is there.
      await stage.world.faults.add({ match: { operation: 'stream' }, delayMs: 1000, times: 1 })
      await drop(stage, subscriptionId)
      await emit(stage.world, 'lost')
      await stage.world.clock.advance('PT11M')
      await emit(stage.world, 'kept')
      await stage.until({ operation: 'getSubscription' }, { after: 'disturbed' })
    }),
    checks: [
      {
        name: 'takes-gap',
        level: 'INFO',
        source: 'our choice',
        rule: 'A client that is told of a gap reads state again.',
        advice: 'After the control event `gap`, do not go on as if nothing was lost.',
        judge: (seen) => {
          const gaps = seen.frames().filter(({ frame }) => frame?.data === 'gap')
          return some(seen.after('disturbed').requests('getSubscription'), gaps)
        },
      },
    ],
  },
  {
    name: 'events-stalled',
    task: `${task} A heartbeat comes every HEARTBEAT_SECONDS.`,
    play: onStream(async (stage, subscriptionId) => {
      await stage.disturb(subscriptionId, { action: 'stall', ms: 60_000 })
      await stage.until({ operation: 'stream', method: 'GET' }, { after: 'disturbed' })
    }),
    checks: [
      {
        name: 'notices-a-stall',
        level: 'SHOULD',
        source: 'our choice',
        rule: 'A stream on which nothing came for three heartbeats is opened anew.',
        advice:
          'Restart a timer with every byte; EventSource shows no comments, so put a timer around it or accept ' +
          'the risk.',
        judge: comesBack,
      },
    ],
  },
  ...varied({
    document: 'events',
    kinds: [
      ...(['json-order', 'json-extra', 'json-escape', 'http-case'] as const),
      // Another `retry` would only change how long the script has to wait.
      ...kindsOf('sse').filter((kind) => kind !== 'sse-retry'),
    ],
    task,
    play: onStream(async (stage, subscriptionId) => {
      // So many that one is cut, whatever the seed; pieces take a while. A reset would take along what was not read.
      for (let i = 0; i < 6; i++) await emit(stage.world, 'é🚲'.repeat(100))
      while ((await stage.world.streams.list()).items.some(({ bytesWaiting }) => bytesWaiting > 0))
        await stage.pause(20)
      await stage.mark('disturbed')
      const hangUp = await takeOver(stage, subscriptionId)
      await hangUp()
      // The one that took over is the first.
      await stage.until({ operation: 'stream', method: 'GET' }, { after: 'disturbed', count: 2 })
    }),
    judge: resumes,
  }),
]
