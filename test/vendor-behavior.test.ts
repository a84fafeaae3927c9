import { request as httpRequest } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readPage } from './helpers/pages.ts'
import { asGuest, asWeb } from './helpers/build-test-app.ts'
import { type EventServer, LIGHT, startEvents } from './helpers/documents/events.ts'
import { call, SECRET } from './helpers/documents/soap.ts'

const dealer = asWeb('dealer-erin')
const partner = { partnerCode: 'partner-1001' }
const card = '/wallet/cmn/v2.0/device/available?modelName=VM-S100&serviceType=WALLET'
const zipCode = '/stg/us/guest/zipCode?zipCode=07660'

function toWorld({ app }: EventServer) {
  const control = async (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, payload?: object) => {
    const reply = await app.inject({ method, url: `/_control/${path}`, ...(payload && { payload }) })
    expect(reply.statusCode, reply.payload).toBeLessThan(300)
    return reply.payload === '' ? undefined : reply.json()
  }
  const ask = (url: string, headers: Record<string, string> = asGuest()) => app.inject({ url, headers })
  return {
    control,
    ask,
    app,
    fault: (draft: object) => control('POST', 'faults', { times: 1, ...draft }),
    vary: (...kinds: string[]) => control('PUT', 'variation', { seed: 'vendor', kinds }),
    choose: (choices: object) => control('PUT', 'profile', { profile: 'custom', choices }),
    clock: (now: string) => control('PUT', 'clock', { now, frozen: true }),
    post: (url: string, payload: object) => app.inject({ method: 'POST', url, headers: asGuest(), payload }),
    soap: async (operation: string, inputs: Record<string, string>) => {
      const headers = { 'content-type': 'text/xml' }
      const payload = call(operation, inputs)
      return (await app.inject({ method: 'POST', url: '/iap/ws/RTCService', headers, payload })).payload
    },
  }
}
type World = ReturnType<typeof toWorld>

const html = { 'content-type': 'text/html' }

/** A check for each heading of the page, in the order of the page. */
const behaviors: Readonly<Record<string, (world: World, server: EventServer) => Promise<unknown>>> = {
  'Gateway pages': async ({ fault, ask }) => {
    for (const status of [502, 302, 200]) {
      await fault({ match: { operation: 30 }, respond: { status, headers: html, body: '<h1>page</h1>' } })
      const { statusCode, payload, headers } = await ask(zipCode)
      expect([statusCode, payload, headers['content-type']]).toEqual([status, '<h1>page</h1>', 'text/html'])
    }
    expect((await ask(zipCode)).statusCode).toBe(200)
  },
  'Unexpected success statuses': async ({ fault, post }) => {
    const validate = () => post('/stg/us/guest/product/validation?prdId=490154203237518&modelCode=VM-S100', {})
    const plain = (await validate()).json()
    await fault({ match: { operation: 23 }, respond: { status: 201 } })
    const created = await validate()
    expect([created.statusCode, created.json()]).toEqual([201, plain])
    await fault({ match: { operation: 23 }, respond: { status: 204 } })
    const nothing = await validate()
    expect([nothing.statusCode, nothing.payload]).toEqual([204, ''])
  },
  'Unknown values': async ({ vary, fault, ask }) => {
    await vary('json-enum')
    expect((await ask('/stg/us/dealer/tickets?limit=3', dealer)).payload).toMatch(/"FURTHER_\d+"/)
    const body = { resultCode: 'CMN9N9999', resultMessage: 'NEW' }
    await fault({ match: { path: '/wallet/*' }, respond: { status: 400, body } })
    expect((await ask(card, partner)).json()).toEqual(body)
  },
  'Changed SOAP elements': async ({ vary, soap }) => {
    const serviceToken = /<output>(\w+)</.exec(await soap('createServiceToken', { secret: SECRET }))![1]!
    const asked = ['getSubscriptionStatus', { purchaseID: 'purchase-active', serviceToken }] as const
    const count = (text: string) => text.match(/<\w+>/g)!.length
    const plain = count(await soap(...asked))
    await vary('soap-extra')
    expect(count(await soap(...asked))).toBeGreaterThan(plain)
    await vary('soap-missing')
    expect(count(await soap(...asked))).toBeLessThan(plain)
  },
  'Null for absent fields': async ({ vary, ask }) => {
    await vary('json-null')
    expect(Object.values((await ask('/stg/us/dealer/customers?bpNo=1000000001', dealer)).json())).toContain(null)
  },
  'Tickets that progress': async ({ choose, control, ask }) => {
    const opened = async () => (await ask('/stg/us/dealer/tickets?statusList=E0001', dealer)).json().totalCount
    const before = await opened()
    await choose({ 'ticket-progress': 'auto' })
    await control('POST', 'clock/advance', { duration: 'P2D' })
    expect(await opened()).toBeLessThan(before)
  },
  'Unusual names': async ({ ask }) => {
    const { lastName, firstName } = (await ask('/stg/us/dealer/customers?bpNo=1000000012', dealer)).json()
    expect(`${firstName} ${lastName}`).toBe("Renée D'Angelo")
  },
  Volume: async ({ ask, control }) => {
    const { items } = await control('GET', 'records/tickets?companyId=C100&limit=100')
    expect(items).toHaveLength(100)
    expect((await ask('/stg/us/dealer/tickets?limit=2', dealer)).json().hasMore).toBe(true)
  },
  'Expiring sessions': async ({ choose, ask, control }) => {
    await choose({ 'session-lifetime': 'PT1H' })
    const look = async () => (await ask('/stg/us/instore/checkmobile', asWeb('web-alice'))).statusCode
    expect(await look()).toBe(200)
    await control('POST', 'clock/advance', { duration: 'PT1H' })
    expect(await look()).toBe(401)
    await control('POST', 'sessions', { identity: 'profile:web-alice' })
    expect(await look()).toBe(200)
  },
  'Lost responses': async ({ fault, post, control }) => {
    await fault({ match: { operation: 22 }, respond: { status: 504, headers: html, body: 'late' }, when: 'after' })
    expect((await post('/stg/us/guest/customerFeedback', { rating: 5, comment: 'kept' })).payload).toBe('late')
    expect((await control('GET', 'records/feedback')).items.at(-1).comment).toBe('kept')
  },
  'Maintenance windows': async ({ fault, clock, ask }) => {
    const respond = { status: 503, retryAfter: 7200, headers: html, body: 'back soon' }
    const window = { from: '2026-05-08T00:00:00Z', until: '2026-05-08T02:00:00Z' }
    await fault({ match: { path: '*' }, ...window, respond, times: 100 })
    const at = async (now: string) => {
      await clock(now)
      const { statusCode, headers } = await ask(zipCode)
      return [statusCode, headers['retry-after']]
    }
    expect(await at('2026-05-07T23:59:59Z')).toEqual([200, undefined])
    expect(await at(window.from)).toEqual([503, '7200'])
    expect(await at(window.until)).toEqual([200, undefined])
  },
  'Rate limits': async ({ choose, ask }) => {
    await choose({ 'rate-limit': { requests: 1, per: 'PT1M' } })
    expect((await ask(zipCode)).headers['ratelimit-policy']).toBe('"default";q=1;w=60')
    const { statusCode, headers } = await ask(zipCode)
    expect([statusCode, Number(headers['retry-after'])]).toEqual([429, expect.any(Number)])
  },
  'HTTP features': async ({ fault, vary, ask }, { address }) => {
    const headers = { etag: '"7"', 'set-cookie': 'node=2; Path=/', 'cache-control': 'no-cache' }
    await fault({ match: { operation: 30 }, respond: { status: 200, headers } })
    expect((await ask(zipCode)).headers).toMatchObject(headers)
    await vary('http-gzip')
    const packed = await new Promise<Buffer>((resolve, reject) => {
      const asked = { headers: { ...asGuest(), 'accept-encoding': 'gzip' } }
      httpRequest(address + zipCode, asked, (reply) => {
        expect(reply.headers['content-encoding']).toBe('gzip')
        reply.once('data', resolve)
      })
        .on('error', reject)
        .end()
    })
    expect(JSON.parse(String(gunzipSync(packed))).city).toBe('Ridgefield Park')
  },
  Holidays: async ({ clock, ask }) => {
    await clock('2026-05-06T16:00:00Z')
    expect((await ask('/stg/us/dealer/stores?fields=closedDates', dealer)).payload).toContain('2026-05-25')
  },
  'Disturbed streams': async ({ control }, server) => {
    const { reader, subscriptionId } = await server.stream()
    await control('POST', `streams/${subscriptionId}/chaos`, { action: 'duplicate' })
    await server.emit(LIGHT, 'on')
    const ids = [(await reader.next())!.id, (await reader.next())!.id]
    expect(ids[0]).toBe(ids[1])
    await control('POST', `streams/${subscriptionId}/chaos`, { action: 'drop' })
    expect(await reader.ended).toBe('cut')
  },
  'Daylight saving time': async ({ clock, ask }) => {
    const first = async (now: string, day: string) => {
      await clock(now)
      const path = '/stg/us/instore/noauth/slots?ascType=WALKIN&ascCode=ASC001'
      return (await ask(`${path}&start=${day}&end=${day}`)).json().schedule[0].slots[0].startTime
    }
    // A week earlier, 10:00 is only half an hour away, which is too soon. After the clock change, 10:00 is an hour and
    // a half away.
    expect(await first('2026-10-25T13:30:00Z', '2026-10-25')).not.toBe('10:00')
    expect(await first('2026-11-01T13:30:00Z', '2026-11-01')).toBe('10:00')
  },
  Languages: async ({ ask }) => {
    const namesIn = async (language: string) =>
      (await ask(`/stg/us/guest/symptom?subType=TV&language=${language}`)).json().symptoms.map(nameOf)
    expect(await namesIn('S')).not.toEqual(await namesIn('E'))
    expect(await namesIn('X')).toEqual(await namesIn('E'))
  },
  Latency: async ({ fault, ask, control }) => {
    await fault({ match: { operation: 30 }, delayMs: { min: 40, max: 60 } })
    const begun = performance.now()
    expect((await ask(zipCode)).statusCode).toBe(200)
    expect(performance.now() - begun).toBeGreaterThan(35)
    expect((await control('GET', 'faults')).items[0].hits).toBe(1)
  },
  'Equivalent responses': async ({ vary, ask }) => {
    const plain = (await ask(zipCode)).payload
    await vary('json-order', 'json-space', 'json-escape')
    const replies = await Promise.all(Array.from({ length: 8 }, async () => (await ask(zipCode)).payload))
    expect(new Set(replies).size).toBeGreaterThan(2)
    for (const reply of replies) expect(JSON.parse(reply)).toEqual(JSON.parse(plain))
  },
  'Time zones': async ({ ask, control }) => {
    const centers = (await control('GET', 'records/serviceCenters?limit=100')).items as { timeZone: string }[]
    expect(new Set(centers.map(({ timeZone }) => timeZone)).size).toBeGreaterThanOrEqual(9)
    const slots = await ask('/stg/us/instore/noauth/slots?ascType=WALKIN&ascCode=ASC003')
    expect(slots.json().timeZone).toBe('America/Los_Angeles')
  },
}

const nameOf = ({ name }: { name: string }) => name

test('docs/vendor-behavior.md describes twenty behaviors, each with a request and its output', () => {
  const [, ...sections] = readPage('docs/vendor-behavior.md').split(/^## (?=\d+\. )/m)
  expect(sections.map((section) => section.split('\n')[0])).toEqual(
    Object.keys(behaviors).map((name, i) => `${i + 1}. ${name}`),
  )
  expect(sections).toHaveLength(20)
  for (const section of sections) expect(section).toMatch(/```sh\n[^`]*^# → [^`]*```/ms)
})

test.each(Object.entries(behaviors))('a world can show the documented behavior: %s', async (_, walk) => {
  const server = await startEvents()
  await walk(toWorld(server), server)
})
