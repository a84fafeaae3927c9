import { randomBytes } from 'node:crypto'
import process from 'node:process'
import { expect, test } from 'vitest'
import { takeSnapshot } from '../../../../src/server/control/snapshots.ts'
import { nodeDigests } from '../../../../src/server/adapters/node/digests.ts'
import { toSnapshotLines, writeSnapshot } from '../../../../src/contract/records/snapshot.ts'
import { readSnapshot } from '../../../../src/contract/records/snapshot-reading.ts'
import { asGuest, buildTestApp } from '../../../helpers/build-test-app.ts'
import { lineOf, readParts, writeParts } from '../../../helpers/documents/snapshots.ts'
import { START } from '../../../helpers/test-ports.ts'

type App = ReturnType<typeof buildTestApp>['app']
const take = async (app: App, world = '') => (await app.inject(`${world}/_control/snapshot`)).payload
const restore = (app: App, payload: string, world = '') =>
  app.inject({ method: 'PUT', url: `${world}/_control/snapshot`, payload })
const zip = { url: '/stg/us/guest/zipCode?zipCode=07660', headers: asGuest() }

test('a restored snapshot is byte-identical on another server, including clock, faults and counters', async () => {
  const first = buildTestApp()
  await first.clockControl.advance(5000)
  const fault = { match: { operation: 30 }, respond: { status: 503 }, times: 5 }
  await first.app.inject({ method: 'POST', url: '/_control/faults', payload: fault })
  await first.app.inject(zip)
  await first.app.inject({ method: 'POST', url: '/stg/us/cti/guest/token', headers: asGuest() })
  const text = await take(first.app)

  const second = buildTestApp({ startsAt: '2027-01-01T00:00:00Z', seed: 'another' })
  expect((await restore(second.app, text)).statusCode).toBe(204)
  expect(await take(second.app)).toBe(text)
  expect((await second.app.inject(zip)).statusCode).toBe(503)
})

test('generated IDs continue in the same sequence after a snapshot is restored', async () => {
  const first = buildTestApp()
  const text = await take(first.app)
  const order = { sellerSecret: '123456789012', itemID: 'i', period: 'P1M', price: 1, currency: 'USD', country: 'USA' }
  const buy = async (app: App) =>
    (await app.inject({ method: 'POST', url: '/_control/purchases', payload: order })).json()
  const second = buildTestApp({ seed: 'another' })
  await restore(second.app, text)
  expect((await buy(second.app)).purchaseID).toBe((await buy(first.app)).purchaseID)
})

test('a snapshot restores image bytes, and bytes that do not match their digest are rejected', async () => {
  const { app, store, blobs, digests } = buildTestApp()
  const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => i % 256)
  const sha256 = digests.sha256(bytes)
  await blobs.put(sha256, bytes)
  const image = {
    imageId: 'IMG-1',
    srid: '4100000001',
    ticketNumber: '7200000001',
    fileName: 'a.png',
    sha256,
  }
  const meta = { ...image, contentType: 'image/png' as const, size: 100_000, sequence: 1, uploadedAt: START }
  await store.transaction((tx) => tx.symptomImages.put(meta))
  const text = await take(app)

  const other = buildTestApp()
  await restore(other.app, text)
  expect(await other.worlds.find('default')!.blobs.get(sha256)).toEqual(Buffer.from(bytes))
  const reply = await restore(other.app, text.replace(/"AAEC/, '"BBEC'))
  expect([reply.statusCode, reply.json().error.message]).toEqual([
    400,
    expect.stringContaining('does not match its digest'),
  ])
})

test('writing a snapshot with 105 MB of images encodes one image at a time', async () => {
  const { worlds, store, blobs, digests } = buildTestApp()
  for (let i = 0; i < 21; i++) {
    const bytes = randomBytes(4_999_000)
    const [imageId, sha256] = [`IMG-${i}`, digests.sha256(bytes)]
    await blobs.put(sha256, bytes)
    const meta = { imageId, srid: String(5_000_000_000 + i), ticketNumber: '7200000001', fileName: 'a.png', sha256 }
    const form = { contentType: 'image/png' as const, size: bytes.length, sequence: 1 }
    await store.transaction((tx) => tx.symptomImages.put({ ...meta, ...form, uploadedAt: START }))
  }
  const before = process.memoryUsage().heapUsed
  const lines = writeSnapshot(await takeSnapshot(worlds.find('default')!))
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000)
  let size = 0
  for (const line of lines) size += line.length
  expect(size).toBeGreaterThan(139_000_000)
})

test('a snapshot is restored completely or not at all, with every error reported', async () => {
  const { app } = buildTestApp()
  const before = await take(app)
  const wrong = readParts(before)
  wrong.records.partners[0].name = 17
  wrong.records.sellers.push(wrong.records.sellers[0])
  wrong.records.teapots = [{}]
  const text = writeParts(wrong)
  const reply = await restore(app, text)
  expect(reply.statusCode).toBe(400)
  expect(reply.json().error.details.map(({ target }: { target: string }) => target)).toEqual(
    expect.arrayContaining([
      `${lineOf(text, '"name":17')}: record.name`,
      `${lineOf(text, '"collection":"teapots"')}: collection`,
    ]),
  )
  expect(reply.payload).toContain('is listed twice')
  expect(await take(app)).toBe(before)
  for (const payload of ['', '{}', '[]', 'null', '{"schemaVersion": 0}', '{"schemaVersion": "1"}', `{}\n${before}`]) {
    expect((await restore(app, payload)).statusCode).toBe(400)
  }
})

test('a snapshot that is cut off at the end of a line returns 400', async () => {
  const { app } = buildTestApp()
  const before = await take(app)
  const lines = before.split('\n')
  for (const kept of [1, 2, lines.length - 2]) {
    const reply = await restore(app, `${lines.slice(0, kept).join('\n')}\n`)
    expect([reply.statusCode, reply.json().error.message]).toEqual([400, expect.stringContaining('is cut off')])
  }
  expect(await take(app)).toBe(before)
})

test('a frozen clock remains frozen in a restored snapshot while real time passes', async () => {
  const first = buildTestApp()
  await first.clockControl.set({ now: Date.parse('2031-02-03T04:05:06Z'), frozen: true })
  const text = await take(first.app)
  first.clock.advance(60_000)
  expect(await take(first.app)).toBe(text)
  const second = buildTestApp({ startsAt: '2027-01-01T00:00:00Z' })
  await restore(second.app, text)
  expect((await second.app.inject('/_control/clock')).json()).toMatchObject({
    now: '2031-02-03T04:05:06.000Z',
    frozen: true,
  })
})

test('the offset of a running clock is restored exactly while real time passes', async () => {
  const { app, clock, clockControl } = buildTestApp()
  await clockControl.advance(3_600_000)
  let real = clock.now()
  Object.assign(clock, { now: () => ++real })
  const text = await take(app)
  expect(readParts(text).clock).toEqual({ offsetMs: 3_600_000 })
  for (let times = 0; times < 3; times++) {
    expect((await restore(app, text)).statusCode).toBe(204)
    expect(await take(app)).toBe(text)
  }
})

test('a snapshot without a stream secret can be restored, and the server generates the secret', async () => {
  const { app } = buildTestApp()
  const { records, ...rest } = readParts(await take(app))
  const { settings: _settings, ...named } = records
  expect((await restore(app, writeParts({ ...rest, records: named }))).statusCode).toBe(204)
  const subscribing = {
    method: 'POST',
    url: '/subscriptions',
    headers: { authorization: 'Bearer token-home' },
  } as const
  const payload = { subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] }
  expect((await app.inject({ ...subscribing, payload })).statusCode).toBe(200)
})

test('an unknown field or collection in a snapshot returns 400 with a suggestion', async () => {
  const { app } = buildTestApp()
  const before = readParts(await take(app))
  const change = (change: object) => restore(app, writeParts({ ...before, ...change }))
  for (const [changed, target, nearest] of [
    [{ clocks: {} }, 'line 1', 'clock'],
    [{ records: { ticket: [{}] } }, 'line 2: collection', 'tickets'],
  ] as const) {
    const reply = await change(changed)
    expect(reply.statusCode).toBe(400)
    expect(reply.json().error.details).toMatchObject([
      { target, message: expect.stringContaining(`; the nearest is ${nearest}`) },
    ])
  }
  for (const seed of [null, '']) expect((await change({ seed })).statusCode).toBe(204)
  expect(readParts(await take(app))).not.toHaveProperty('seed')
})

test('an unknown field in a record, at any depth, returns 400 with a suggestion', async () => {
  const { app } = buildTestApp()
  const before = await take(app)
  const other = readParts(before)
  Object.assign(other.records.partners[0], { nam: 'x', empty: null })
  Object.assign(other.records.tickets.find((each: object) => 'appointment' in each).appointment, { startTme: '10:00' })
  const text = writeParts(other)
  const reply = await restore(app, text)
  expect([reply.statusCode, reply.json().error.details]).toMatchObject([
    400,
    [
      {
        target: `${lineOf(text, '"startTme"')}: record.appointment`,
        message: expect.stringContaining('has no field startTme; the nearest is startTime'),
      },
      {
        target: `${lineOf(text, '"nam":')}: record`,
        message: expect.stringContaining('has no field nam; the nearest is name'),
      },
    ],
  ])
  expect(await take(app)).toBe(before)
})

test.each([1, 99])('a snapshot of version %i returns 400 with the supported version', async (schemaVersion) => {
  const { app } = buildTestApp()
  const reply = await restore(app, writeParts({ ...readParts(await take(app)), schemaVersion }))
  const message = expect.stringContaining(`is ${schemaVersion}, but this server reads 2`)
  expect([reply.statusCode, reply.json().error.details]).toEqual([
    400,
    [expect.objectContaining({ target: 'line 1: schemaVersion', message })],
  ])
})

test('a snapshot has lines for the header, faults, records, images and the end', async () => {
  const { app } = buildTestApp()
  const fault = { match: { operation: 30 }, respond: { status: 503 } }
  await app.inject({ method: 'POST', url: '/_control/faults', payload: fault })
  const { headers, payload: text } = await app.inject('/_control/snapshot')
  expect(headers['content-type']).toBe('application/x-ndjson')
  const lines = text.split('\n')
  expect(lines.pop()).toBe('')
  const parts = lines.map((line) => Object.keys(JSON.parse(line)).join())
  expect([...new Set(parts)]).toEqual(['clock,schemaVersion,seed', 'fault', 'collection,record', 'digest,image', 'end'])
  const names = lines.map((line) => JSON.parse(line).collection).filter((name) => name !== undefined)
  expect(names).toEqual(names.toSorted())
  expect(lines).toContainEqual(
    expect.stringMatching(/^\{"collection":"partners","record":\{"name":"[^"]*","partnerCode":"partner-1001"\}\}$/),
  )
})

test.each<[line: string, rule: string, encoding?: 'latin1']>([
  ['{"fault":', 'is not valid JSON'],
  ['"text"', 'must be a fault, a record with its collection, or an image with its digest'],
  ['{"collection":"settings","record":{"name":"x","value":"\u00ff"}}', 'is not valid UTF-8', 'latin1'],
  ['{"collection":"settings","record":{"name":"x","__proto__":{}}}', 'has a key __proto__, which is not allowed'],
  [`{"fault":${'['.repeat(100)}${']'.repeat(100)}}`, 'is nested deeper than 64 levels'],
  [`{"fault":[${'0,'.repeat(12_000)}0]}`, 'has more than 12000 values'],
  [`{"fault":"${'x'.repeat(16 * 1024 * 1024)}"}`, 'has more than 16777216 bytes'],
  ['{"fault":{},"record":{}}', 'has no field record'],
  ['{"collection":"partners","record":7}', 'record must be an object'],
  ['{"digest":"0","image":"%"}', 'must be a SHA-256 in hexadecimal'],
])('a damaged line returns 400 with the line number and the error (%#)', async (line, rule, encoding) => {
  const { app } = buildTestApp()
  const before = await take(app)
  const payload = Buffer.concat([Buffer.from(`${before}\r\n\n`), Buffer.from(line, encoding ?? 'utf8')])
  const reply = await app.inject({ method: 'PUT', url: '/_control/snapshot', payload })
  expect(reply.statusCode).toBe(400)
  const number = before.split('\n').length + 2
  expect(reply.json().error.details[0].message).toMatch(new RegExp(`^line ${number}\\b`))
  expect(reply.payload).toContain(rule)
  expect(await take(app)).toBe(before)
})

test('a snapshot with trailing spaces, Windows line ends and a byte order mark is accepted', async () => {
  const { app } = buildTestApp()
  const before = await take(app)
  const text = `\ufeff${before.replaceAll('\n', ' \r\n')}\n`
  expect((await restore(app, text)).statusCode).toBe(204)
  expect(await take(app)).toBe(before)
})

test('a snapshot with more than 1,000 faults returns 400 with the line number', async () => {
  const { app } = buildTestApp()
  const fault = { match: { operation: 30 }, hits: 0, delayMs: 1 }
  const faults = Array.from({ length: 1001 }, (_, i) => ({ ...fault, faultId: `F${i}` }))
  const reply = await restore(app, writeParts({ ...readParts(await take(app)), faults }))
  expect([reply.statusCode, reply.json().error.details[0].target]).toEqual([400, 'line 1002'])
})

test('a snapshot that lists the same fault twice returns 400', async () => {
  const { app } = buildTestApp()
  const fault = { match: { operation: 30 }, hits: 0, delayMs: 1, faultId: 'F1' }
  const reply = await restore(app, writeParts({ ...readParts(await take(app)), faults: [fault, fault] }))
  expect(reply.json().error.details[0]).toMatchObject({ target: 'line 3: fault.faultId' })
  expect(reply.payload).toContain('is listed twice')
})

test('a snapshot is restored only in the world of the request, until a reset', async () => {
  const { app } = buildTestApp()
  await app.inject({ method: 'POST', url: '/_control/worlds', payload: { name: 'a', seed: 's' } })
  const started = await take(app, '/w/a')
  const changed = readParts(started)
  changed.records.partners = []
  expect((await restore(app, writeParts(changed), '/w/a')).statusCode).toBe(204)
  expect((await app.inject('/w/a/_control/records/partners')).json().totalCount).toBe(0)
  expect((await app.inject('/_control/records/partners')).json().totalCount).toBeGreaterThan(0)
  await app.inject({ method: 'POST', url: '/w/a/_control/reset' })
  expect(await take(app, '/w/a')).toBe(started)
})

test('a world with 25,000 images can be restored from its snapshot', async () => {
  const { app } = buildTestApp()
  const taken = readParts(await take(app))
  const image = { ticketNumber: '7200000001', fileName: 'a.png', contentType: 'image/png', size: 9, sequence: 1 }
  taken.records.symptomImages = []
  for (let i = 0; i < 25_000; i++) {
    const bytes = Buffer.from(`image ${i}`)
    const sha256 = nodeDigests.sha256(bytes)
    const [imageId, srid] = [`image-${i}`, String(5_000_000_000 + i)]
    taken.records.symptomImages.push({ ...image, imageId, srid, sha256, uploadedAt: START })
    taken.blobs[sha256] = bytes.toString('base64')
  }
  expect((await restore(app, writeParts(taken))).statusCode).toBe(204)
  const large = await take(app)
  expect(Object.keys(readParts(large).blobs)).toHaveLength(25_000)
  const other = buildTestApp()
  expect((await restore(other.app, large)).statusCode).toBe(204)
  expect(await take(other.app)).toBe(large)
})

test('a fault that a request can create is also accepted in a snapshot', async () => {
  const { app } = buildTestApp()
  const body = { list: Array(100).fill(1) }
  const fault = { match: { path: '/stg/*', body }, delayMs: 1 }
  expect((await app.inject({ method: 'POST', url: '/_control/faults', payload: fault })).statusCode).toBe(200)
  expect((await restore(app, await take(app))).statusCode).toBe(204)
})

test('a long list in a snapshot record is read only up to its limit', async () => {
  let reads = 0
  const list = new Proxy(Array(1_000_000).fill(1) as unknown[], {
    get: (target, name) => {
      reads++
      return Reflect.get(target, name) as unknown
    },
    ownKeys: () => expect.unreachable('the positions were listed'),
  })
  const header = { schemaVersion: 2, clock: { offsetMs: 0 } }
  const read = await readSnapshot(
    toSnapshotLines({ ...header, records: { settings: [{ name: 'long', value: list }] } }),
    { sha256: nodeDigests.sha256, realNow: Date.parse(START) },
  )
  expect(read).toMatchObject({ issues: [{ code: 'TooLong', target: 'records.settings[0]' }] })
  expect(reads).toBeLessThan(30_000)
})

test('a snapshot with a value that would take too long to validate returns 400', async () => {
  const { app } = buildTestApp()
  const taken = readParts(await take(app))
  const refuse = async (change: object) => {
    const reply = await restore(app, writeParts({ ...taken, ...change }))
    expect(reply.statusCode).toBe(400)
    return reply.json().error.details.map(({ target, message }: Record<string, string>) => `${target}: ${message}`)
  }
  const withSetting = (value: unknown) => ({ records: { ...taken.records, settings: [{ name: 'long', value }] } })
  const bound = 'must have at most 12000 values and 4000000 characters'
  const many = expect.stringContaining('has more than 12000 values')
  expect(await refuse(withSetting('x'.repeat(17_000_000)))).toEqual([
    expect.stringContaining('has more than 16777216 bytes'),
  ])
  expect(await refuse(withSetting('x'.repeat(4_000_001)))).toEqual([expect.stringContaining(bound)])
  expect(await refuse(withSetting(Array(12_000).fill(12_345_678)))).toEqual([many])
  const names = Object.fromEntries(Array.from({ length: 20_001 }, (_, i) => [`name ${i}`, '']))
  expect(await refuse(withSetting(names))).toEqual([many])
  expect(await refuse({ clock: names })).toEqual([many])
  const body = { list: Array(12_000).fill(12_345_678) }
  const fault = { match: { body }, delayMs: 1, faultId: 'F1', hits: 0 }
  expect(await refuse({ faults: [fault] })).toEqual([many])
  expect(await refuse({ clock: { soon: 1 } })).toEqual([expect.stringContaining('must be {offsetMs} or')])
})
