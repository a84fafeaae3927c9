import { expect, test } from 'vitest'
import * as z from 'zod'
import { writeArchive } from '../../../../src/server/journal/http-archive.ts'
import { asWeb } from '../../../helpers/build-test-app.ts'
import { ALL, LIGHT, startEvents } from '../../../helpers/documents/events.ts'
import { buildTestPorts, START } from '../../../helpers/test-ports.ts'

const pairs = z.array(z.strictObject({ name: z.string(), value: z.string() }))
const message = {
  httpVersion: z.literal('HTTP/1.1'),
  cookies: z.tuple([]),
  headers: pairs,
  headersSize: z.int(),
  bodySize: z.int(),
}

/** The HAR 1.2 format. The names of additional fields start with an underscore. */
const archive = z.strictObject({
  log: z.strictObject({
    version: z.literal('1.2'),
    creator: z.strictObject({ name: z.string(), version: z.string() }),
    entries: z.array(
      z.object({
        startedDateTime: z.iso.datetime({ offset: true }),
        time: z.number().min(0),
        request: z.strictObject({
          ...message,
          method: z.string(),
          url: z.url(),
          queryString: pairs,
          postData: z.strictObject({ mimeType: z.string(), text: z.string() }).optional(),
        }),
        response: z.strictObject({
          ...message,
          status: z.int(),
          statusText: z.string(),
          content: z.strictObject({ size: z.int(), mimeType: z.string(), text: z.string().optional() }),
          redirectURL: z.string(),
        }),
        cache: z.strictObject({}),
        timings: z.strictObject({ send: z.number().min(0), wait: z.number().min(0), receive: z.number().min(0) }),
        _operation: z.union([z.int(), z.string()]).optional(),
        _caller: z.string().optional(),
        _why: z.object({ code: z.string(), source: z.string().optional() }).optional(),
        _eventStreamMessages: z
          .array(
            z.strictObject({
              time: z.number(),
              eventName: z.string(),
              eventId: z.string().optional(),
              data: z.string(),
            }),
          )
          .optional(),
      }),
    ),
  }),
})

test('a HAR 1.2 archive contains REST, SOAP and stream entries, filtered like the journal', async () => {
  const { address, stream, emit } = await startEvents()
  const read = async (filters = '') =>
    archive.parse(await (await fetch(`${address}/_control/journal?format=har${filters}`)).json())
  const headers = { ...asWeb('web-alice'), 'content-type': 'application/json' }
  const feedback = '{"rating":5,"comment":"größer"}'
  await fetch(`${address}/stg/us/customerFeedback`, { method: 'POST', headers, body: feedback })
  await fetch(`${address}/stg/us/guest/zipCode?zipCode=1`, { headers })
  await fetch(`${address}/iap/ws/RTCService`, { method: 'POST', headers: { 'content-type': 'text/xml' }, body: '<ä/>' })
  const { reader } = await stream(ALL, { name: 'größer' })
  for (const value of ['on', 'off']) await emit(LIGHT, value)
  await reader.take(2)

  const { entries } = (await read()).log
  expect(entries.map(({ _operation }) => _operation)).toEqual([4, 30, undefined, 'createSubscription', 'stream'])
  const [sent, refused, soap, , opened] = entries
  expect(sent).toMatchObject({ _caller: 'web-alice', request: { method: 'POST', postData: { text: feedback } } })
  expect(refused).toMatchObject({ _why: { code: 'ConstraintViolationError' }, response: { status: 400 } })
  expect(soap?.request.postData).toEqual({ mimeType: 'text/xml', text: '<ä/>' })
  for (const { response } of entries) {
    expect(response.content.size).toBe(Buffer.byteLength(response.content.text ?? ''))
  }
  const { _eventStreamMessages: messages = [] } = opened!
  const device = 'DEVICE_EVENT'
  expect(messages.map(({ eventName }) => eventName)).toEqual(['CONTROL_EVENT', device, device])
  expect(JSON.parse(messages.at(-1)!.data)).toMatchObject({ deviceEvent: { value: 'off' } })

  expect((await read('&status=400')).log.entries).toEqual([refused])
  expect((await read('&caller=web-alice&refused=false')).log.entries).toEqual([sent])
  expect((await read('&operation=stream')).log.entries).toEqual([opened])
  expect((await read('&limit=1')).log.entries).toHaveLength(1)
})

test('writing an archive yields to the event loop between the frames of a stream', async () => {
  const ports = buildTestPorts()
  const { journal } = ports
  const at = Date.parse(START)
  const record = (entry: object) =>
    journal.record({
      kind: 'frame',
      operation: 'stream',
      at,
      weight: 1,
      ...entry,
      read: (id) => ({ ...base, id, ...entry }),
    })
  const base = { kind: 'request' as const, at: START, request: { headers: {} } }
  const exchange = () => ({
    call: { method: 'GET', path: '/filters/S1/activate', headers: {} },
    reply: { status: 200 },
  })
  record({ kind: 'request', status: 200, path: '/filters/S1/activate', exchange })
  for (let i = 0; i < 500; i++)
    record({ frame: { subscriptionId: 'S1', event: 'DEVICE_EVENT', data: 'x'.repeat(100) } })
  let ticks = 0
  const others = setInterval(() => ticks++, 0)
  const pieces: string[] = []
  for await (const piece of writeArchive(ports, {}, { base: 'http://a', version: '1' })) {
    pieces.push(piece)
    const until = performance.now() + 0.2
    while (performance.now() < until);
  }
  clearInterval(others)
  expect(JSON.parse(pieces.join('')).log.entries[0]).toHaveProperty('_eventStreamMessages.length', 500)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(2000)
  expect(ticks).toBeGreaterThan(2)
})
