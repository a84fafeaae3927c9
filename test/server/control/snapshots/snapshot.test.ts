import { expect, test } from 'vitest'
import { nodeDigests } from '../../../../src/server/adapters/node/digests.ts'
import { readSnapshot } from '../../../../src/contract/records/snapshot-reading.ts'
import { asGuest, buildTestApp } from '../../../helpers/build-test-app.ts'
import { START } from '../../../helpers/test-ports.ts'

type App = ReturnType<typeof buildTestApp>['app']
const take = async (app: App, world = '') => (await app.inject(`${world}/_control/snapshot`)).payload
const restore = (app: App, payload: string, world = '') =>
  app.inject({ method: 'PUT', url: `${world}/_control/snapshot`, payload })
const zip = { url: '/stg/us/guest/zipCode?zipCode=07660', headers: asGuest() }

test('snapshot, restart, restore, snapshot: byte-identical, with clock, faults, counters and the secret', async () => {
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

test('ids go on where the snapshot was taken', async () => {
  const first = buildTestApp()
  const text = await take(first.app)
  const order = { sellerSecret: '123456789012', itemID: 'i', period: 'P1M', price: 1, currency: 'USD', country: 'USA' }
  const buy = async (app: App) =>
    (await app.inject({ method: 'POST', url: '/_control/purchases', payload: order })).json()
  const second = buildTestApp({ seed: 'another' })
  await restore(second.app, text)
  expect((await buy(second.app)).purchaseID).toBe((await buy(first.app)).purchaseID)
})

test('image bytes travel with their records; bytes of another digest are refused', async () => {
  const { app, store, blobs, digests } = buildTestApp()
  const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => i % 256)
  const sha256 = digests.sha256(bytes)
  await blobs.put(sha256, bytes)
  const image = {
    imageId: 'IMG-1',
    srid: '4100000001',
    ticketNumber: '7200000001',
    fileName: 'a.png',
    fileKey: 'k',
    sha256,
  }
  const meta = { ...image, contentType: 'image/png' as const, size: 100_000, sequence: 1, uploadedAt: START }
  await store.transaction((tx) => tx.symptomImages.put(meta))
  const text = await take(app)

  const other = buildTestApp()
  await restore(other.app, text)
  expect(await other.worlds.find('default')!.blobs.get(sha256)).toEqual(Buffer.from(bytes))
  const reply = await restore(other.app, text.replace(/"AAEC/, '"BBEC'))
  expect([reply.statusCode, reply.json().error.message]).toEqual([400, expect.stringContaining('another digest')])
})

test('a restore is whole or not at all, and says everything that is wrong', async () => {
  const { app } = buildTestApp()
  const before = await take(app)
  const wrong = JSON.parse(before)
  wrong.records.partners[0].name = 17
  wrong.records.sellers.push(wrong.records.sellers[0])
  wrong.records.teapots = []
  const reply = await restore(app, JSON.stringify(wrong))
  expect(reply.statusCode).toBe(400)
  expect(reply.json().error.details.map(({ target }: { target: string }) => target)).toEqual(
    expect.arrayContaining(['body.records.partners[0].name', 'body.records.teapots']),
  )
  expect(reply.payload).toContain('is given twice')
  expect(await take(app)).toBe(before)
  for (const payload of ['', '{}', '[]', 'null', '{"schemaVersion": 0}', '{"schemaVersion": "1"}']) {
    expect((await restore(app, payload)).statusCode).toBe(400)
  }
})

test('a clock that stands still stays where it stands, by whatever real time', async () => {
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

test('a clock that runs is restored to the millisecond, however often, while real time goes on', async () => {
  const { app, clock, clockControl } = buildTestApp()
  await clockControl.advance(3_600_000)
  let real = clock.now()
  Object.assign(clock, { now: () => ++real })
  const text = await take(app)
  expect(JSON.parse(text).clock).toEqual({ offsetMs: 3_600_000 })
  for (let times = 0; times < 3; times++) {
    expect((await restore(app, text)).statusCode).toBe(204)
    expect(await take(app)).toBe(text)
  }
})

test.each([
  { clock: { now: '2026-05-06T16:00:05.000Z', frozen: false, offsetMs: 5000 }, migrated: { offsetMs: 5000 } },
  {
    clock: { now: '2026-05-06T16:00:05.000Z', frozen: true, offsetMs: 5000 },
    migrated: { frozenAt: '2026-05-06T16:00:05.000Z' },
  },
])('a snapshot of version 1 is migrated: its clock $clock', async ({ clock, migrated }) => {
  const { app } = buildTestApp()
  const old = { ...JSON.parse(await take(app)), schemaVersion: 1, clock }
  expect((await restore(app, JSON.stringify(old))).statusCode).toBe(204)
  expect(JSON.parse(await take(app))).toEqual({ ...old, schemaVersion: 2, clock: migrated })
  expect((await restore(app, JSON.stringify({ ...old, clock: undefined }))).statusCode).toBe(400)
})

test('a snapshot written by hand names no secret of its world: one is made, and streams can be opened', async () => {
  const { app } = buildTestApp()
  const { records, ...rest } = JSON.parse(await take(app))
  const { settings: _settings, ...named } = records
  expect((await restore(app, JSON.stringify({ ...rest, records: named }))).statusCode).toBe(204)
  const subscribing = {
    method: 'POST',
    url: '/subscriptions',
    headers: { authorization: 'Bearer token-home' },
  } as const
  const payload = { subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] }
  expect((await app.inject({ ...subscribing, payload })).statusCode).toBe(200)
})

test('what a snapshot does not know is 400 with the nearest, and a seed of null or nothing is none', async () => {
  const { app } = buildTestApp()
  const before = (await app.inject('/_control/snapshot')).json()
  const restore = (change: object) =>
    app.inject({ method: 'PUT', url: '/_control/snapshot', payload: { ...before, ...change } })
  for (const [change, target, nearest] of [
    [{ clocks: {} }, 'body', 'clock'],
    [{ records: { ticket: [] } }, 'body.records.ticket', 'tickets'],
  ] as const) {
    const reply = await restore(change)
    expect(reply.statusCode).toBe(400)
    expect(reply.json().error.details).toMatchObject([
      { target, message: expect.stringContaining(`; the nearest is ${nearest}`) },
    ])
  }
  for (const seed of [null, '']) expect((await restore({ seed })).statusCode).toBe(204)
  expect((await app.inject('/_control/snapshot')).json()).not.toHaveProperty('seed')
})

test('a field that a record does not have is 400 with the nearest at any depth, unless an older version wrote it', async () => {
  const { app } = buildTestApp()
  const before = await take(app)
  const other = JSON.parse(before)
  Object.assign(other.records.partners[0], { nam: 'x', empty: null })
  Object.assign(other.records.tickets.find((each: object) => 'appointment' in each).appointment, { startTme: '10:00' })
  const reply = await restore(app, JSON.stringify(other))
  const at = other.records.tickets.findIndex((each: object) => 'appointment' in each)
  expect([reply.statusCode, reply.json().error.details]).toMatchObject([
    400,
    [
      { target: 'body.records.partners[0]', message: expect.stringContaining('has no field nam; the nearest is name') },
      {
        target: `body.records.tickets[${at}].appointment`,
        message: expect.stringContaining('has no field startTme; the nearest is startTime'),
      },
    ],
  ])
  expect(await take(app)).toBe(before)
  const { offsetMs } = other.clock
  const older = { ...other, schemaVersion: 1, clock: { frozen: false, offsetMs } }
  expect((await restore(app, JSON.stringify(older))).statusCode).toBe(204)
  expect(await take(app)).toBe(before)
})

test('a snapshot of a newer version is refused with the reason', async () => {
  const { app } = buildTestApp()
  const newer = { ...JSON.parse(await take(app)), schemaVersion: 99 }
  const reply = await restore(app, JSON.stringify(newer))
  expect([reply.statusCode, reply.json().error.message]).toEqual([400, expect.stringContaining('a newer server wrote')])
})

test('the document is made for git: keys in order, one record a line', async () => {
  const text = await take(buildTestApp().app)
  const lines = text.split('\n')
  expect(Object.keys(JSON.parse(text))).toEqual(Object.keys(JSON.parse(text)).sort())
  expect(lines.find((line) => line.includes('"partner-1001"'))).toMatch(
    /^ {6}\{"name":".*","partnerCode":"partner-1001"\},?$/,
  )
})

test('a restore takes the addressed world, and reset takes it back to its start', async () => {
  const { app } = buildTestApp()
  await app.inject({ method: 'POST', url: '/_control/worlds', payload: { name: 'a', seed: 's' } })
  const started = await take(app, '/w/a')
  const changed = JSON.parse(started)
  changed.records.partners = []
  expect((await restore(app, JSON.stringify(changed), '/w/a')).statusCode).toBe(204)
  expect((await app.inject('/w/a/_control/records/partners')).json().totalCount).toBe(0)
  expect((await app.inject('/_control/records/partners')).json().totalCount).toBeGreaterThan(0)
  await app.inject({ method: 'POST', url: '/w/a/_control/reset' })
  expect(await take(app, '/w/a')).toBe(started)
})

test('3 a world of more images than an object has names is restored from its own snapshot, byte for byte', async () => {
  const { app } = buildTestApp()
  const taken = JSON.parse(await take(app))
  const image = { ticketNumber: '7200000001', fileName: 'a.png', contentType: 'image/png', size: 9, sequence: 1 }
  taken.records.symptomImages = []
  for (let i = 0; i < 25_000; i++) {
    const bytes = Buffer.from(`image ${i}`)
    const sha256 = nodeDigests.sha256(bytes)
    const [imageId, srid] = [`image-${i}`, String(5_000_000_000 + i)]
    taken.records.symptomImages.push({ ...image, imageId, fileKey: imageId, srid, sha256, uploadedAt: START })
    taken.blobs[sha256] = bytes.toString('base64')
  }
  expect((await restore(app, JSON.stringify(taken))).statusCode).toBe(204)
  const large = await take(app)
  expect(Object.keys(JSON.parse(large).blobs)).toHaveLength(25_000)
  const other = buildTestApp()
  expect((await restore(other.app, large)).statusCode).toBe(204)
  expect(await take(other.app)).toBe(large)
})

test('3 what a request may fill a record or a fault with is taken back from the snapshot', async () => {
  const { app } = buildTestApp()
  const body = { list: Array(9990).fill(1) }
  const fault = { match: { path: '/stg/*', body }, delayMs: 1 }
  expect((await app.inject({ method: 'POST', url: '/_control/faults', payload: fault })).statusCode).toBe(200)
  expect((await restore(app, await take(app))).statusCode).toBe(204)
})

test('21 a long list of a snapshot is read no further than to its bound, nor are its positions listed', async () => {
  let reads = 0
  const list = new Proxy(Array(1_000_000).fill(1) as unknown[], {
    get: (target, name) => {
      reads++
      return Reflect.get(target, name) as unknown
    },
    ownKeys: () => expect.unreachable('the positions were listed'),
  })
  const { app } = buildTestApp()
  const taken = (await app.inject('/_control/snapshot')).json()
  const read = await readSnapshot(
    { ...taken, records: { ...taken.records, settings: [{ name: 'long', value: list }] } },
    { sha256: nodeDigests.sha256, realNow: Date.parse(START), giveWay: () => undefined },
  )
  expect(read).toMatchObject({ issues: [{ code: 'TooLong', target: 'records.settings[0]' }] })
  expect(reads).toBeLessThan(30_000)
})

test('21 a snapshot with a value, or a record, that would be long to check at one go is 400 and says so', async () => {
  const { app } = buildTestApp()
  const taken = (await app.inject('/_control/snapshot')).json()
  const refuse = async (change: object) => {
    const reply = await app.inject({ method: 'PUT', url: '/_control/snapshot', payload: { ...taken, ...change } })
    expect(reply.statusCode).toBe(400)
    return reply.json().error.details.map(({ target, message }: Record<string, string>) => `${target}: ${message}`)
  }
  const withSetting = (value: unknown) => ({ records: { ...taken.records, settings: [{ name: 'long', value }] } })
  const bound = 'must hold at most 12000 values and 4000000 characters'
  expect(await refuse(withSetting('x'.repeat(8_000_001)))).toEqual([
    expect.stringContaining('has a value of more than 8000000 bytes'),
  ])
  expect(await refuse(withSetting('x'.repeat(4_000_001)))).toEqual([expect.stringContaining(bound)])
  expect(await refuse(withSetting(Array(12_000).fill(12_345_678)))).toEqual([expect.stringContaining(bound)])
  const names = Object.fromEntries(Array.from({ length: 20_001 }, (_, i) => [`name ${i}`, '']))
  expect(await refuse(withSetting(names))).toEqual([expect.stringContaining('has an object of more than 20000 names')])
  expect(await refuse({ records: names })).toEqual([expect.stringContaining('body.records must be an object, of no')])
  expect(await refuse({ clock: names })).toEqual([expect.stringContaining('must be {offsetMs} or')])
  const body = { list: Array(12_000).fill(12_345_678) }
  const fault = { match: { body }, delayMs: 1, faultId: 'F1', struck: 0 }
  expect(await refuse({ faults: [fault] })).toEqual([expect.stringContaining(bound)])
  expect(await refuse({ records: { ...taken.records, settings: 5 } })).toEqual([
    expect.stringContaining('must be an array'),
  ])
})
