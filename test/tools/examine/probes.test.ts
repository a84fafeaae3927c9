import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scenarios } from '../../../src/tools/examine/scenarios/contents.ts'
import type { Environment, Scenario } from '../../../src/tools/examine/check.ts'
import { startVendorCloud, type VendorCloud } from '../../../src/index.ts'
import { launchTestClient } from './clients.ts'
import { inProcess, playScenario } from './run.ts'

let server: VendorCloud
beforeAll(async () => {
  server = await startVendorCloud({ settings: { HEARTBEAT_SECONDS: '0.5' } })
})
afterAll(() => server.stop())

type Ask = (path: string, init?: RequestInit) => Promise<Response>

/** Runs a client with this behavior in a scenario. Returns the result of the check. */
async function evaluate(scenario: string, check: string, play: (ask: Ask, signal: AbortSignal) => Promise<unknown>) {
  const { checks } = await playScenario(server, scenario, ({ VENDOR_CLOUD_URL: url }) =>
    inProcess((signal) => play((path, init) => fetch(url + path, { signal, ...init }), signal)),
  )
  return checks.find(({ name }) => name === check)!
}

const dealer = { headers: { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' } }
const web = { headers: { 'request-source': 'vendor.com', 'vendorus-profId': 'web-alice' } }
const partner = { headers: { partnerCode: 'partner-1001' } }
const deviceCheck = (modelName: string) => `/wallet/cmn/v2.0/device/available?serviceType=WALLET&modelName=${modelName}`

test('a client passes if it corrects the parameter that the result message names', async () => {
  const { verdict } = await evaluate('wallet-refused', 'takes-result-codes', async (ask) => {
    const refused = (await (await ask(deviceCheck('VM-S100'), partner)).json()) as { resultMessage: string }
    expect(refused.resultMessage).toMatch(/modelName$/)
    await ask(deviceCheck('VM-S200'), partner)
  })
  expect(verdict).toBe('passed')
})

test.each([
  ['1', 'failed'],
  ['50', 'failed'],
  ['100', 'failed'],
])(
  'a client that stops reading after one page of %s rows fails the check pages-to-the-end',
  async (limit, expected) => {
    const { verdict } = await evaluate('support-list', 'pages-to-the-end', (ask) =>
      ask(`/stg/us/dealer/tickets?limit=${limit}`, dealer),
    )
    expect(verdict).toBe(expected)
  },
)

test.each([30, 100])(
  'a client that relies on the first totalCount misses rows that arrive after %i rows',
  async (limit) => {
    const count = async (ask: Ask, until: (page: { totalCount: number; hasMore: boolean }, end: number) => boolean) => {
      for (let offset = 0; ; offset += limit) {
        const reply = await ask(`/stg/us/dealer/tickets?limit=${limit}&offset=${offset}`, dealer)
        if (until((await reply.json()) as { totalCount: number; hasMore: boolean }, offset + limit)) return
      }
    }
    const first: number[] = []
    const counts = await evaluate('support-list', 'reads-what-comes-in', (ask) =>
      count(ask, ({ totalCount }, end) => {
        first.push(totalCount)
        return end >= first[0]!
      }),
    )
    const looks = await evaluate('support-list', 'reads-what-comes-in', (ask) => count(ask, ({ hasMore }) => !hasMore))
    expect([counts.verdict, looks.verdict]).toEqual(['failed', 'passed'])
  },
)

test('a client that starts again because rows were added passes the check pages-once', async () => {
  const { verdict } = await evaluate('support-list', 'pages-once', async (ask) => {
    for (let pass = 0; pass < 2; pass++) {
      for (const offset of [0, 100, 200]) await ask(`/stg/us/dealer/tickets?limit=100&offset=${offset}`, dealer)
    }
  })
  expect(verdict).toBe('passed')
})

test('a lookup counts only if it follows the lost response of the booking', async () => {
  const { verdict } = await evaluate('support-ticket-lost', 'looks-after-lost-answer', async (ask) => {
    await ask('/stg/us/dealer/tickets?bpNoList=1000000001', dealer)
    await ask('/stg/us/dealer/customers/ticket', { ...dealer, method: 'POST', body: '{}' }).catch(() => {})
  })
  expect(verdict).toBe('failed')
})

test('a client that sends three requests per second while it is rejected fails does-not-hammer', async () => {
  const envelope =
    '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><n:createServiceToken ' +
    'xmlns:n="http://ws.iap.vendor.com/"><secret>123456789012</secret></n:createServiceToken></e:Body></e:Envelope>'
  const post = { method: 'POST', headers: { 'content-type': 'text/xml', soapaction: '""' }, body: envelope }
  const every = async (ask: () => Promise<unknown>, signal: AbortSignal) => {
    for (;;) {
      await ask()
      await sleep(333, undefined, { signal })
    }
  }
  const verdicts = await Promise.all([
    evaluate('billing-invalid-secret', 'does-not-hammer', (ask, signal) =>
      every(() => ask('/iap/ws/RTCService', post), signal),
    ),
    evaluate('wallet-down', 'spares-the-wallet', (ask, signal) =>
      every(() => ask(deviceCheck('VM-S100'), partner), signal),
    ),
  ])
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(['failed', 'failed'])
})

/**
 * Follows a stream until it is stopped, and reconnects as the server instructs. With `beside`, opens a second stream.
 */
async function followTwice(
  ask: Ask,
  signal: AbortSignal,
  beside: 'no second stream' | 'a second stream',
): Promise<void> {
  const headers = { authorization: 'Bearer token-home', 'content-type': 'application/json' }
  const body = JSON.stringify({ subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] })
  const made = await ask('/subscriptions', { method: 'POST', headers, body })
  const { registrationUrl } = (await made.json()) as { registrationUrl: string }
  const open = async (): Promise<void> => {
    let lastId = ''
    for (;;) {
      const resume = lastId === '' ? {} : { 'last-event-id': lastId }
      const reply = await fetch(registrationUrl, { headers: { accept: 'text/event-stream', ...resume }, signal })
      if (reply.status === 204) return
      try {
        for await (const piece of reply.body!.pipeThrough(new TextDecoderStream())) {
          lastId = /^id: (.*)\n\n$/m.exec(piece)?.[1] ?? lastId
        }
      } catch {
        signal.throwIfAborted()
      }
      await sleep(650, undefined, { signal })
    }
  }
  const second = beside === 'a second stream' ? sleep(20).then(open) : undefined
  await Promise.all([open(), second])
}

test('a client can send the control API requests that a scenario describes', async () => {
  const { task } = scenarios.find(({ name }) => name === 'events-token-ends')!
  const [, body] = /POST \/_control\/tokens (\{.*?\}),/.exec(task)!
  const world = await server.world()
  const headers = { 'content-type': 'application/json' }
  const reply = await world.fetch('/_control/tokens', { method: 'POST', headers, body: body! })
  const { accessToken } = (await reply.json()) as { accessToken: string }
  const wanted = JSON.stringify({
    name: 'n',
    version: 1,
    subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }],
  })
  const made = await world.fetch('/subscriptions', {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${accessToken}` },
    body: wanted,
  })
  expect(made.status).toBe(200)
})

test('a session ends at the booking as planned in a world with a custom profile', async () => {
  const profile = { profile: 'theirs', choices: { 'error-shape': 'problem' as const } }
  const statuses: number[] = []
  const play = async (ask: Ask) => {
    statuses.push((await ask('/stg/us/instore/checkmobile', web)).status)
    const refusal = await ask('/stg/us/instore/create', { method: 'POST', ...web })
    statuses.push(refusal.status)
    expect(refusal.headers.get('content-type')).toMatch('application/problem+json')
  }
  const { checks } = await playScenario(
    server,
    'support-session-ends',
    ({ VENDOR_CLOUD_URL: url }) => inProcess((signal) => play((path, init) => fetch(url + path, { signal, ...init }))),
    { open: (name, seed) => server.world({ name: `${name}-changed`, seed, profile }) },
  )
  expect(statuses).toEqual([200, 401])
  expect(checks.find(({ name }) => name === 'signs-in-again')!.verdict).toBe('failed')
})

test('a client does not time out while it waits for a busy processor', async () => {
  let wantsProcessor = true
  const { scenarios: told } = await playScenario(
    server,
    'wallet-away',
    ({ VENDOR_CLOUD_URL: url }) => ({
      ...inProcess(async () => {
        await sleep(1500)
        wantsProcessor = false
        for (let i = 0; i < 2; i++) await fetch(url + deviceCheck('VM-S100'), partner)
      }),
      load: () => ({ used: 0, wantsProcessor }),
    }),
    { patience: 300 },
  )
  expect(told[0]!.problem).toBeUndefined()
})

test('the examination does not wait forever for a busy client that sends no requests', async () => {
  const begun = performance.now()
  const { scenarios: told } = await playScenario(
    server,
    'wallet-away',
    () => ({
      ...inProcess((signal) => sleep(60_000, undefined, { signal })),
      load: () => ({ used: performance.now() - begun, wantsProcessor: true }),
    }),
    { patience: 300 },
  )
  expect(told[0]!.problem).toBe('the client never called')
})

test('the world of a scenario starts at the start of a slot', async () => {
  const times: string[] = []
  for (const now of ['2026-03-04T19:29:59.900Z', '2026-03-04T19:30:00Z', '2026-03-04T19:59:59.999Z']) {
    await playScenario(
      server,
      'support-nothing-there',
      ({ VENDOR_CLOUD_URL: url }) =>
        inProcess(async () => {
          const reply = await fetch(`${url}/_control/clock`)
          times.push(((await reply.json()) as { now: string }).now)
        }),
      { open: (name) => server.world({ name: `${name}-at-${Date.parse(now)}`, now, frozen: true }), patience: 300 },
    )
  }
  expect(times.map((time) => time.slice(11))).toEqual(['19:30:00.000Z', '20:00:00.000Z', '20:00:00.000Z'])
})

test.each([
  ['no second stream', 'passed'],
  ['a second stream', 'failed'],
] as const)(
  'for a client that opens %s of the same subscription, the check one-stream-at-a-time is %s',
  async (beside, told) => {
    const play = (ask: Ask, signal: AbortSignal) => followTwice(ask, signal, beside)
    const [stream, retry] = await Promise.all([
      evaluate('events-reset', 'one-stream-at-a-time', play),
      evaluate('events-retry', 'honours-retry', play),
    ])
    expect(stream.verdict).toBe(told)
    // The second stream must not be mistaken for an early reconnect.
    expect(retry.verdict).not.toBe('failed')
  },
)

const crash = () => Promise.reject(new Error('dies'))

test.each([
  ['support-nothing-there', 'takes-no-content', (ask: Ask) => ask('/stg/us/instore/detail?srid=1234567890', web)],
  ['wallet-json-order', 'wallet-takes-json-order', (ask: Ask) => ask(deviceCheck('VM-S100'), partner)],
  ['events-http-case', 'events-takes-http-case', (ask: Ask) => ask('/subscriptions', { method: 'POST', body: '{}' })],
])(
  'a client that exits early in scenario %s fails the check %s with recorded evidence',
  async (scenario, check, act) => {
    const { verdict, problem, evidence } = await evaluate(scenario, check, async (ask) => act(ask).then(crash))
    expect([verdict, problem]).toEqual(['failed', 'the client exited with code 1'])
    expect(evidence.length).toBeGreaterThan(0)
  },
)

test('a client that aborts while it waits for a slow first byte fails', async () => {
  const book = scenarios.find(({ name }) => name === 'support-book')!
  const slow: Scenario = {
    ...book,
    prepare: ({ world }) => world.faults.add({ match: { operation: 36 }, delayMs: 60_000 }),
  }
  const launch = ({ VENDOR_CLOUD_URL: url }: Environment) =>
    inProcess(async () => {
      const left = new AbortController()
      const path = '/stg/us/instore/noauth/nearest?zipCode=07660'
      const asked = fetch(url + path, { ...web, signal: left.signal })
      const hasCome = async () =>
        ((await (await fetch(`${url}/_control/journal`)).json()) as { totalCount: number }).totalCount > 0
      while (!(await hasCome()));
      left.abort()
      await asked
    })
  const { checks } = await playScenario(server, 'support-book', launch, { scenarios: [slow] })
  const { verdict, evidence } = checks.find(({ name }) => name === 'books')!
  expect(verdict).toBe('failed')
  expect(evidence).toMatchObject([{ operation: 36 }])
  expect(evidence[0]!.status).toBeUndefined()
})

test('a client that exits before its first request is reported, but fails no check', async () => {
  const report = await playScenario(server, 'wallet-away', () => inProcess(crash))
  expect(report.scenarios[0]!.problem).toBe('the client exited with code 1')
  expect(report.checks.filter(({ verdict }) => verdict !== 'not covered')).toEqual([])
})

test('the check keeps-access-to-the-end is not covered for the reference client', async () => {
  const { checks } = await playScenario(server, 'billing-cancelled', (given) => launchTestClient(given))
  const verdictOf = (check: string) => checks.find(({ name }) => name === check)!.verdict
  expect(['keeps-access-to-the-end', 'stops-behind-the-end'].map(verdictOf)).toEqual(['not covered', 'passed'])
})

test('after a wait without success, each later step polls the journal only once', async () => {
  const looks: unknown[] = []
  const open = async (name: string, seed: string) => {
    const world = await server.world({ name: `${name}-in-vain`, seed })
    const verify: typeof world.verify = (...asked) => {
      looks.push(asked)
      return world.verify(...asked)
    }
    return Object.assign(Object.create(world) as typeof world, { verify })
  }
  const launch = ({ VENDOR_CLOUD_URL: url }: Environment) =>
    inProcess(async (signal) => {
      await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { ...web, signal })
      await sleep(60_000, undefined, { signal })
    })
  const waits = { open, patience: 500, firstPatience: 60_000 }
  const { scenarios: told } = await playScenario(server, 'support-list', launch, waits)
  expect(told[0]!.problem).toBe('the client hangs: no sign of operation 19')
  expect(looks).toHaveLength(2)
})

const json = { 'content-type': 'application/json' }

/** Runs a client that sends one request, damages its world during the scenario, and then waits. */
async function playHarm(harm: (ask: Ask, name: string) => Promise<unknown>) {
  let stops = 0
  const launch = ({ VENDOR_CLOUD_URL: url }: Environment) => {
    const client = inProcess(async (signal) => {
      const ask: Ask = (path, init) => fetch(url + path, { signal, ...init })
      await ask('/stg/us/guest/zipCode?zipCode=07660', { headers: { 'request-source': 'vendor.com' } })
      await sleep(500, undefined, { signal })
      await harm(ask, url!.split('/').at(-1)!)
      await sleep(60_000, undefined, { signal })
    })
    return {
      ...client,
      stop() {
        stops++
        return client.stop()
      },
    }
  }
  const report = await playScenario(server, 'support-list', launch, { patience: 1000 })
  const failed = report.checks.filter(({ verdict }) => verdict === 'failed')
  return { stops, problem: report.scenarios[0]?.problem, failed }
}

test('a client that deletes the world of its scenario is stopped', async () => {
  const { stops, problem, failed } = await playHarm((_, name) =>
    fetch(`${server.url}/_control/worlds/${name}`, { method: 'DELETE' }),
  )
  expect([stops, problem]).toEqual([1, 'its world is gone: the client deleted it'])
  expect(failed.length).toBeGreaterThan(0)
  expect(failed.filter(({ evidence }) => evidence.length === 0)).toEqual([])
})

test.each<[string, (ask: Ask) => Promise<unknown>]>([
  ['resets its world', (ask) => ask('/_control/reset', { method: 'POST' })],
  [
    'restores a snapshot',
    async (ask) => {
      const body = await (await ask('/_control/snapshot')).text()
      return ask('/_control/snapshot', { method: 'PUT', headers: json, body })
    },
  ],
])('the examination stops and reports a client that %s during its scenario', async (_, harm) => {
  const { stops, problem } = await playHarm(harm)
  // The damage may go unnoticed. The examination then reports that an expected request did not arrive.
  expect([stops, problem]).toEqual([1, expect.stringMatching(/^its world changed unexpectedly: |no sign of /)])
})
