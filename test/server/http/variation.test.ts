import { createParser } from 'eventsource-parser'
import sax from 'sax'
import { expect, test } from 'vitest'
import { nodeDigests } from '../../../src/server/adapters/node/digests.ts'
import { Chance } from '../../../src/server/chaos/variation/chance.ts'
import { jsonKinds } from '../../../src/server/chaos/variation/json.ts'
import { VariedStream } from '../../../src/server/chaos/variation/sse.ts'
import { type VariationKind, variationKinds } from '../../../src/contract/records/control/variation.ts'
import { asWeb, buildTestApp, listen, type TestApp } from '../../helpers/build-test-app.ts'
import { LIGHT, startEvents } from '../../helpers/documents/events.ts'
import { operationsOf, toRequest } from '../../helpers/openapi-examples.ts'
import { operationTable } from '../../helpers/operation-table.ts'
import { sendRaw } from '../../helpers/raw-request.ts'
import { call, SECRET } from '../../helpers/documents/soap.ts'

/** `npm run test:endurance` uses 1,000 seeds. */
const SEEDS = Number(process.env['VARIED_SEEDS'] ?? 150)
const CONTROL = '/_control/variation'
/** Kinds that may change the meaning of a response, but only where a document leaves the meaning open. */
const TELLING = ['json-null', 'json-enum', 'http-created', 'http-gzip', 'soap-extra', 'soap-missing']
/** Kinds that do not change the meaning of a response. `http-slow` is excluded, because it takes long. */
const quick = variationKinds.filter((kind) => kind !== 'http-slow' && !TELLING.includes(kind))

async function vary({ app }: Pick<TestApp, 'app'>, seed: string, kinds: readonly VariationKind[] = quick) {
  return app.inject({ method: 'PUT', url: CONTROL, payload: { seed, kinds } })
}

/** Returns whether a value contains all fields of the expected value. It may contain more. */
function holds(value: unknown, expected: unknown): boolean {
  if (expected === null || typeof expected !== 'object') return value === expected
  if (value === null || typeof value !== 'object' || Array.isArray(value) !== Array.isArray(expected)) return false
  if (Array.isArray(expected) && (value as unknown[]).length !== expected.length) return false
  const fields = value as Record<string, unknown>
  return Object.entries(expected).every(([name, each]) => name in fields && holds(fields[name], each))
}

test('variation does not change the meaning of any response of document 1', async () => {
  const plain = buildTestApp()
  const varied = buildTestApp()
  const description = JSON.parse((await plain.app.inject('/openapi/support.json')).payload)
  let replies = 0
  const operations = new Set<number>()
  while (replies < SEEDS) {
    for (const { path, method, operation } of operationsOf(description)) {
      const request = toRequest('', path, method, operation)
      request.headers = { ...request.headers, 'x-request-id': `request-${replies}` }
      const expected = await plain.app.inject(request)
      await vary(varied, `seed ${replies++}`)
      const reply = await varied.app.inject(request)
      operations.add(operation['x-operation']!)
      expect(reply.statusCode).toBe(expected.statusCode)
      if (!String(expected.headers['content-type']).startsWith('application/json'))
        expect(reply.payload).toBe(expected.payload)
      else if (!holds(reply.json(), expected.json())) expect(reply.json()).toMatchObject(expected.json())
    }
  }
  expect(operations.size).toBe(operationTable.length)
})

interface Element {
  name: string
  children: Element[]
  text: string
  attributes: Record<string, string>
}

/** Parses a message with code that is independent of the server. Names are qualified, and texts have no prefixes. */
function readXml(text: string): Element {
  const root: Element = { name: '', children: [], text: '', attributes: {} }
  const open = [root]
  const parser = sax.parser(true, { xmlns: true })
  const add = (more: string) => (open.at(-1)!.text += more)
  Object.assign(parser, {
    onerror: (error: Error) => {
      throw error
    },
    onopentag: ({ uri, local, attributes, ns }: sax.QualifiedTag) => {
      const own = Object.values(attributes).filter(({ prefix, name }) => prefix !== 'xmlns' && name !== 'xmlns')
      const element: Element = { name: `{${uri}}${local}`, children: [], text: '', attributes: {} }
      for (const { uri: of, local: name, value } of own) element.attributes[`{${of}}${name}`] = value
      Object.defineProperty(element, 'namespaces', { value: ns })
      open.at(-1)!.children.push(element)
      open.push(element)
    },
    ontext: add,
    oncdata: add,
    onclosetag: () => {
      const element = open.pop()! as Element & { namespaces: Record<string, string> }
      if (element.children.length > 0) element.text = element.text.trim()
      if (element.name !== '{}faultcode') return
      const [prefix, local] = element.text.split(':')
      element.text = `{${element.namespaces[prefix!]}}${local}`
    },
  })
  parser.write(text).close()
  return root
}

test('variation does not change the meaning of SOAP responses and faults', async () => {
  const { app } = buildTestApp()
  const send = async (payload: string) =>
    (await app.inject({ method: 'POST', url: '/iap/ws/RTCService', headers: { 'content-type': 'text/xml' }, payload }))
      .payload
  const serviceToken = /<output>(\w+)</.exec(await send(call('createServiceToken', { secret: SECRET })))![1]!
  const [{ purchaseID }] = (await app.inject('/_control/records/purchases')).json().items
  const messages = [
    call('getSubscriptionStatus', { purchaseID, serviceToken }),
    call('getSubscriptionStatus', { purchaseID, serviceToken: 'unknown' }),
    '<no-envelope/>',
  ]
  const plain = await Promise.all(messages.map(async (message) => readXml(await send(message))))
  for (let seed = 0; seed < SEEDS; seed++) {
    await vary({ app }, `seed ${seed}`)
    const reply = await send(messages[seed % messages.length]!)
    expect(readXml(reply)).toEqual(plain[seed % messages.length])
  }
  await vary({ app }, 'token')
  const [token] = [readXml(await send(call('createServiceToken', { secret: SECRET })))]
  expect(JSON.stringify(token)).toMatch(/"\{\}output","children":\[\],"text":"\w{96}"/)
})

const frames = [
  'retry: 3000\nevent: CONTROL_EVENT\ndata: welcome\nid: 1-0\n\n',
  'event: DEVICE_EVENT\n' +
    'data: {"eventId":"e","deviceEvent":{"value":"é 🚲, [x]","data":{"a":1},"n":[1,2,"a\\"b"]}}\nid: 1-5\n\n',
  ':\n',
  'event: TIMER_EVENT\ndata: {"time":1}\nid: 1-6\n\nevent: CONTROL_EVENT\ndata: goodbye\n\n',
]

function readEvents(pieces: readonly Buffer[]) {
  const events: { event: string | undefined; id: string | undefined; data: string }[] = []
  const retries: number[] = []
  const parser = createParser({
    onEvent: ({ event, id, data }) => events.push({ event, id, data }),
    onRetry: (retry) => retries.push(retry),
    onError: (error) => {
      throw error
    },
  })
  const decoder = new TextDecoder()
  for (const piece of pieces) parser.feed(decoder.decode(piece, { stream: true }))
  parser.feed('\n')
  return { events, retries }
}

test('variation does not change the meaning of an event stream', () => {
  const plain = readEvents(frames.map((frame) => Buffer.from(frame)))
  const kinds = variationKinds.filter((kind) => kind.startsWith('sse-'))
  for (let seed = 0; seed < SEEDS; seed++) {
    const chance = new Chance(nodeDigests.sha256, `seed ${seed}`)
    const chosen = kinds.filter(() => chance.below(2) === 0)
    const stream = new VariedStream(new Set(chosen), chance, (json) => json)
    const { events, retries } = readEvents(frames.flatMap((frame) => stream.write(frame)))
    const said = events.map((event) => ({ ...event, data: event.data.replaceAll('\n', '') }))
    // Additional events match no filter, and they have no ID after which a client could resume.
    const meant = said.filter(({ event }) => !event?.startsWith('FURTHER_EVENT_'))
    expect(meant, chosen.join()).toEqual(plain.events)
    const further = said.filter((event) => !meant.includes(event))
    expect(further.length > 0, chosen.join()).toBe(chosen.includes('sse-event'))
    for (const { id, event, data } of further) {
      expect([id, JSON.parse(data).eventType], chosen.join()).toEqual([undefined, event])
    }
    expect(retries).toHaveLength(1)
    if (chosen.includes('sse-retry')) expect(retries[0]).not.toBe(3000)
  }
})

test('characters that the variation json-escape escapes equal the original text, including emoji', () => {
  const meant = { value: 'é 🚲/"\\\u2028' }
  for (let seed = 0; seed < SEEDS; seed++) {
    const varied = jsonKinds['json-escape'](JSON.stringify(meant), new Chance(nodeDigests.sha256, `seed ${seed}`))
    expect(JSON.parse(Buffer.from(varied).toString())).toEqual(meant)
  }
})

/** What naive clients assume about the format of a response, by the kind of variation that violates the assumption. */
const naive: Readonly<
  Record<
    Exclude<VariationKind, 'http-slow'>,
    [of: 'json' | 'validation' | 'ticket' | 'stream' | 'soap' | 'status', sees: RegExp]
  >
> = {
  'json-order': ['json', /"zipCode".*"city".*"state"/s],
  'json-extra': ['json', /^(?:(?!further).)*$/s],
  'json-space': ['json', /\{"zipCode":"[^"]*","/],
  'json-escape': ['json', /^[^\\]*$/],
  'json-null': ['ticket', /^(?!.*"statusReasonCode":null)/],
  'json-enum': ['ticket', /"status":"E0001".*"status":"REQUESTED"/],
  'http-case': ['json', /^content-type: /m],
  'http-chunked': ['json', /^content-length: /im],
  'http-created': ['validation', /^HTTP\/1.1 200 /],
  'http-gzip': ['json', /"zipCode":"07660"/],
  'sse-line-ends': ['stream', /^[^\r]*$/],
  'sse-comments': ['stream', /^(?:retry|event|data|id): .*\n(?:(?:retry|event|data|id): .*\n|\n)*$/],
  'sse-data-lines': ['stream', /data: \{.*\}\n/],
  'sse-space': ['stream', /\ndata: \{/],
  'sse-bom': ['stream', /^retry/],
  'sse-cuts': ['stream', /^(?:piece ){1,4}$/],
  'sse-retry': ['stream', /^retry: 3000\n/],
  'sse-event': ['stream', /^(?:(?!FURTHER).)*$/s],
  'soap-prefix': ['soap', /<soap:Body>/],
  'soap-default-namespace': ['soap', /<ns2:createServiceTokenResponse /],
  'soap-cdata': ['soap', /<output>\w{96}<\/output>/],
  'soap-references': ['soap', /<output>\w{96}<\/output>/],
  'soap-space': ['soap', /Body><ns2/],
  'soap-quotes': ['soap', /xmlns:soap="/],
  'soap-extra': ['soap', /<\/output><\/ns2/],
  'soap-missing': ['status', /<itemID>.*<freeTrial>.*<latestOrderId>.*<currentPaymentPlan>/],
}

test.each(Object.entries(naive))(
  'a client that relies on the aspect that %s varies fails under this variation',
  async (kind, [of, sees]) => {
    const server = await startEvents()
    const host = new URL(server.address).host
    const ask = (line: string) =>
      sendRaw(
        server.address,
        `${line} HTTP/1.1\r\nhost: ${host}\r\nrequest-source: vendor.com\r\naccept-encoding: gzip\r\n` +
          'connection: close\r\n\r\n',
      )
    const soap = async (operation: string, inputs: Record<string, string>) => {
      const headers = { 'content-type': 'text/xml' }
      const payload = call(operation, inputs)
      return (await server.app.inject({ method: 'POST', url: '/iap/ws/RTCService', headers, payload })).payload
    }
    const read = {
      json: () =>
        ask('GET /stg/us/guest/zipCode?zipCode=07660').then((text) =>
          kind.startsWith('http-') ? text : text.split('\r\n\r\n')[1]!,
        ),
      validation: () => ask('POST /stg/us/guest/product/validation?prdId=490154203237518&modelCode=VM-S100'),
      ticket: async () => {
        const [{ srid }] = (await server.app.inject('/_control/records/tickets?status=E0001&companyId=C100')).json()
          .items
        return (await server.app.inject({ url: `/stg/us/dealer/tickets/${srid}`, headers: asWeb('dealer-erin') }))
          .payload
      },
      soap: () => soap('createServiceToken', { secret: SECRET }),
      status: async () => {
        const token = /<output>(\w+)</.exec(await soap('createServiceToken', { secret: SECRET }))![1]!
        return soap('getSubscriptionStatus', { purchaseID: 'purchase-active', serviceToken: token })
      },
      stream: async () => {
        const { registrationUrl } = await server.subscribe()
        const { body } = await fetch(registrationUrl)
        const chunks: Uint8Array[] = []
        const reading = (async () => {
          for await (const chunk of body!) chunks.push(chunk)
        })()
        await server.emit(LIGHT, 'on')
        await expect.poll(() => server.ports.streams.list().at(-1)!.describe().bytesWaiting).toBe(0)
        server.ports.streams.list().at(-1)!.injectFault({ action: 'goodbye', ms: 0 })
        await reading
        return kind === 'sse-cuts' ? 'piece '.repeat(chunks.length) : Buffer.concat(chunks).toString()
      },
    }[of]
    expect(await read()).toMatch(sees)
    const seen: boolean[] = []
    for (let seed = 0; seed < 20 && !seen.includes(false); seed++) {
      await vary(server, `seed ${seed}`, [kind as VariationKind])
      seen.push(sees.test(await read()))
      const { entries } = (await server.app.inject('/_control/journal?kind=request&limit=1')).json()
      expect(entries[0].variation).toEqual([kind])
    }
    expect(seen).toContain(false)
  },
)

test('the variation http-slow can delay a response so that a later request finishes first', async () => {
  const server = buildTestApp()
  const address = await listen(server.app)
  const ask = async (world: string) => {
    await fetch(`${address}/stg/us/guest/zipCode?zipCode=07660`, {
      headers: { 'request-source': 'vendor.com', 'x-world': world },
    })
    return world
  }
  await server.app.inject({ method: 'POST', url: '/_control/worlds', payload: { name: 'other' } })
  const first: string[] = []
  for (let seed = 0; seed < 20 && !first.includes('other'); seed++) {
    await vary(server, `seed ${seed}`, ['http-slow'])
    first.push(await Promise.race([ask('default'), ask('other')]))
  }
  expect(first).toContain('other')
})

test('variation does not affect the control API, the API descriptions or other worlds', async () => {
  const server = buildTestApp()
  const { app } = server
  await app.inject({ method: 'POST', url: '/_control/worlds', payload: { name: 'plain' } })
  const paths = ['/_control/journal', '/openapi/wallet.json', '/health/live', '/w/plain/stg/us/dealer/stores']
  const read = () => Promise.all(paths.map(async (url) => (await app.inject(url)).payload.replaceAll(/req-\w+/g, '')))
  const before = await read()
  await vary(server, 'any')
  expect(await read()).toEqual(before)
})

test.each([
  ['json-escape', 5000],
  ['json-space', 5000],
  ['json-order', 300],
  ['json-extra', 300],
] as const)('the variation %s needs only a limited number of random numbers for a long response', (kind, most) => {
  const page = JSON.stringify(Array.from({ length: 5000 }, (_, i) => ({ name: `entry ${i}`, text: 'a text of it' })))
  let digests = 0
  const sha256 = (text: string) => {
    digests++
    return nodeDigests.sha256(text)
  }
  const varied = jsonKinds[kind](page, new Chance(sha256, 'seed'))
  expect(varied).not.toBe(page)
  expect(holds(JSON.parse(varied), JSON.parse(page))).toBe(true)
  expect(digests).toBeLessThan(most)
})
