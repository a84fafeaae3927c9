import { expect, test, vi } from 'vitest'
import { asGuest, buildTestApp } from '../../helpers/build-test-app.ts'
import { START } from '../../helpers/test-ports.ts'
import { citedRules } from '../../helpers/documents/cited-rules.ts'
import { readParts, writeParts } from '../../helpers/documents/snapshots.ts'

const make = (payload: object) => ({ method: 'POST', url: '/_control/worlds', payload }) as const

test('a world can be selected by path prefix or header, and has its own clock', async () => {
  const { app } = buildTestApp()
  expect((await app.inject(make({ name: 'a', now: '2030-01-01T00:00:00Z' }))).json()).toEqual({
    name: 'a',
    createdAt: START,
  })
  const now = async (request: object) => (await app.inject({ url: '/_control/clock', ...request })).json().now
  expect(await now({ url: '/w/a/_control/clock' })).toBe('2030-01-01T00:00:00.000Z')
  expect(await now({ headers: { 'x-world': 'a' } })).toBe('2030-01-01T00:00:00.000Z')
  expect(await now({})).toBe(START)
})

test('a world can be created without a body or with an empty body', async () => {
  const { app } = buildTestApp()
  const made = await app.inject({ method: 'POST', url: '/_control/worlds' })
  expect([made.statusCode, made.json().name]).toEqual([200, expect.stringMatching(/^[a-z0-9-]{1,64}$/)])
  expect((await app.inject(make({}))).statusCode).toBe(200)
  const mistyped = await app.inject(make({ nam: 'a' }))
  expect([mistyped.statusCode, mistyped.json().error.message]).toEqual([400, expect.stringContaining('name')])
})

test('creating a world beyond the limit of 10,000 returns 409', async () => {
  const { app, worlds } = buildTestApp()
  const size = vi.spyOn(worlds, 'size', 'get').mockReturnValue(9999)
  expect((await app.inject(make({ name: 'last' }))).statusCode).toBe(200)
  size.mockReturnValue(10_000)
  const rejected = await app.inject(make({ name: 'further' }))
  expect([rejected.statusCode, rejected.json().error]).toMatchObject([409, { code: 'LimitExceeded' }])
})

test('requests with the world prefix succeed with and without the base path', async () => {
  const { app } = buildTestApp()
  await app.inject(make({ name: 'a' }))
  for (const prefix of ['/w/a', '/w/a/support-api/stg', '/support-api/stg']) {
    const reply = await app.inject({ url: `${prefix}/stg/us/guest/zipCode?zipCode=07660`, headers: asGuest() })
    expect(reply.json()).toMatchObject({ city: 'Ridgefield Park' })
  }
})

test('a write returns 404 if its world is deleted or reset before the write ends', async () => {
  const { app, worlds } = buildTestApp()
  await app.inject(make({ name: 'a' }))
  for (const end of [
    { method: 'POST', url: '/w/a/_control/reset' },
    { method: 'DELETE', url: '/_control/worlds/a' },
  ] as const) {
    const { store } = worlds.find('a')!
    let release = () => {}
    let held: Promise<void> | undefined
    await new Promise<void>((begun) => {
      held = store.transaction(async () => {
        begun()
        await new Promise<void>((resolve) => (release = resolve))
      })
    })
    const url = '/w/a/_control/records/settings/mine'
    const late = app.inject({ method: 'PUT', url, payload: { name: 'mine', value: '1' } })
    // By the time these requests have a response, the pending request has already found its world.
    for (let i = 0; i < 3; i++) await app.inject('/w/a/_control/clock')
    expect((await app.inject(end)).statusCode).toBe(204)
    release()
    await expect(held).rejects.toThrow('was deleted or reset during the call')
    expect([(await late).statusCode, citedRules(await late)]).toEqual([404, ['our choice: ended-worlds']])
    expect((await late).json().error.message).toContain('was deleted or reset during the call')
    expect(await store.tickets.count()).toBeGreaterThan(0)
  }
})

test('a request to an unknown world returns 404 with a message about the world', async () => {
  const { app } = buildTestApp()
  for (const request of [
    { url: '/w/nobody/health/live' },
    { url: '/w/No_Body/health/live' },
    { url: '/health/live', headers: { 'x-world': 'nobody' } },
  ]) {
    const reply = await app.inject(request)
    expect([reply.statusCode, reply.json().error.code]).toEqual([404, 'NotFoundError'])
    expect(reply.json().error.message).toContain('world')
  }
})

test('creating a world returns 409 for a name in use, 400 for an invalid name', async () => {
  const { app } = buildTestApp()
  await app.inject(make({ name: 'a' }))
  const status = async (payload: object) => (await app.inject(make(payload))).statusCode
  expect(await status({ name: 'a' })).toBe(409)
  expect(await status({ name: 'default' })).toBe(409)
  for (const name of ['A', 'a b', 'a'.repeat(65)]) expect(await status({ name })).toBe(400)
})

test('worlds can be listed and deleted, but the default world cannot be deleted', async () => {
  const { app } = buildTestApp()
  await app.inject(make({ name: 'a', seed: 's', expiresIn: 60 }))
  const expiresAt = new Date(Date.parse(START) + 60_000).toISOString()
  expect((await app.inject('/_control/worlds')).json()).toEqual({
    items: [
      { name: 'default', seed: 'test', createdAt: START },
      { name: 'a', seed: 's', createdAt: START, expiresAt },
    ],
    totalCount: 2,
  })
  expect((await app.inject({ method: 'DELETE', url: '/_control/worlds/a' })).statusCode).toBe(204)
  expect((await app.inject('/_control/worlds/a')).statusCode).toBe(404)
  expect((await app.inject({ method: 'DELETE', url: '/_control/worlds/a' })).statusCode).toBe(404)
  expect((await app.inject({ method: 'DELETE', url: '/_control/worlds/default' })).statusCode).toBe(409)
})

test('a reset restores the records and the clock only of the world in the request', async () => {
  const { app, worlds } = buildTestApp()
  await app.inject(make({ name: 'a', now: '2030-01-01T00:00:00Z' }))
  for (const name of ['a', 'default']) {
    const { store, clockControl } = worlds.find(name)!
    await clockControl.advance(1000)
    await store.transaction((tx) =>
      tx.receiptFiles.put({ receiptFileKey: 'new', companyId: 'C100', fileName: 'r.pdf', uploadedAt: START }),
    )
  }
  expect((await app.inject({ method: 'POST', url: '/w/a/_control/reset' })).statusCode).toBe(204)
  expect(await worlds.find('a')!.store.receiptFiles.get('new')).toBeUndefined()
  expect((await app.inject('/w/a/_control/clock')).json().now).toBe('2030-01-01T00:00:00.000Z')
  expect(await worlds.find('default')!.store.receiptFiles.get('new')).toBeDefined()
})

test('GET /_control/status returns document versions, the world, its clock and its record counts', async () => {
  const { app } = buildTestApp()
  expect((await app.inject('/_control/status')).json()).toMatchObject({
    documents: { support: 'stg', events: 1, wallet: 'v2.0', billing: 'deprecated' },
    world: 'default',
    clock: { now: START, frozen: false, offsetMs: 0 },
    counts: { tickets: expect.any(Number) },
  })
})

test('resetting a world that was created with a frozen clock freezes its clock again', async () => {
  const { app, clock } = buildTestApp()
  await app.inject(make({ name: 'still', now: '2030-01-01T00:00:00Z', frozen: true }))
  const read = async () => (await app.inject('/w/still/_control/clock')).json()
  const standing = { now: '2030-01-01T00:00:00.000Z', frozen: true, offsetMs: 0 }
  clock.advance(5000)
  expect(await read()).toEqual(standing)
  await app.inject({ method: 'PUT', url: '/w/still/_control/clock', payload: { frozen: false } })
  await app.inject({ method: 'POST', url: '/w/still/_control/reset' })
  clock.advance(5000)
  expect(await read()).toEqual(standing)
})

test('each world numbers its request IDs independently', async () => {
  const { app } = buildTestApp()
  for (const name of ['a', 'b']) await app.inject(make({ name }))
  const idOf = async (url: string) => (await app.inject(url)).headers['x-request-id']
  expect(await idOf('/w/a/_control/clock')).toBe('req-1')
  expect(await idOf('/w/a/_control/clock')).toBe('req-2')
  expect(await idOf('/w/b/_control/clock')).toBe('req-1')
})

test.each(['1999-12-31T23:59:59.999Z', '9001-01-01T00:00:00Z', '0050-01-01T00:00:00Z', '9999-12-31T00:00:00Z'])(
  'every request that would set a clock to %s returns 400',
  async (now) => {
    const { app } = buildTestApp()
    const put = (url: string, payload: object | string) => app.inject({ method: 'PUT', url, payload })
    const snapshot = readParts((await app.inject('/_control/snapshot')).payload)
    const offsetMs = Date.parse(now) - Date.parse(START)
    const replies = [
      await app.inject(make({ name: 'far', now })),
      await put('/_control/clock', { now }),
      await put('/_control/snapshot', writeParts({ ...snapshot, clock: { frozenAt: now } })),
      await put('/_control/snapshot', writeParts({ ...snapshot, clock: { offsetMs } })),
      await app.inject({
        method: 'POST',
        url: '/_control/clock/advance',
        payload: { duration: offsetMs > 0 ? offsetMs : -1 },
      }),
    ]
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(replies.map(() => 400))
    expect(replies[0]!.json().error.details[0].message).toContain('2000-01-01 to 9000-12-31')
  },
)

test('advancing the clock reports the tasks that ran, even if the clock is frozen', async () => {
  const { app } = buildTestApp()
  await app.inject({ method: 'PUT', url: '/_control/clock', payload: { frozen: true } })
  const steps = [{ afterMs: 60_000, deviceId: 'device-hub-0001', status: 'OFFLINE' }]
  const devices = (await app.inject('/_control/records/devices?limit=1')).json().items
  steps[0]!.deviceId = devices[0].deviceId
  const payload = { steps, repeat: 3 }
  expect((await app.inject({ method: 'POST', url: '/_control/scenarios', payload })).statusCode).toBe(200)
  const advance = { method: 'POST', url: '/_control/clock/advance', payload: { duration: 'PT2M' } } as const
  expect((await app.inject(advance)).json()).toMatchObject({
    due: 2,
    dueTasks: [{ what: expect.stringMatching(/^scenario \S+, step 1, device /) }, { at: expect.any(String) }],
  })
})

test.each([
  ['deleted', { method: 'DELETE', url: '/_control/worlds/a' }],
  ['reset', { method: 'POST', url: '/w/a/_control/reset' }],
] as const)('a waiting verification returns 404 with the reason if its world is %s', async (_how, end) => {
  const { app } = buildTestApp()
  await app.inject(make({ name: 'a' }))
  const payload = { match: { operation: 30 }, withinMs: 60_000 }
  const verdict = app.inject({ method: 'POST', url: '/w/a/_control/journal/verify', payload })
  await app.inject('/w/a/health/live')
  expect((await app.inject(end)).statusCode).toBe(204)
  const reply = await verdict
  expect([reply.statusCode, reply.json().error.code]).toEqual([404, 'NotFoundError'])
  expect(reply.json().error.message).toContain('world a was deleted or reset during the call')
})

test('a step below 1 or an invalid timestamp is rejected in diffs and forks', async () => {
  const { app } = buildTestApp()
  await app.inject(make({ name: 'a' }))
  await app.inject({ method: 'POST', url: '/w/a/_control/recordings', payload: {} })
  const told = 'must be a step number from 1 or a timestamp such as 2026-03-31T14:00:00.000Z'
  for (const at of ['0', '-1', '1.5', 'soon', '9999999999']) {
    const asked = await app.inject(`/_control/worlds/a/diff?with=a&withAt=${at}`)
    expect([at, asked.json().error.message]).toEqual([at, `query.withAt ${told}`])
  }
  for (const at of [0, -1, 1.5, 'soon', {}]) {
    const asked = await app.inject(make({ from: 'a', at }))
    expect([at, asked.json().error.message]).toEqual([at, `body.at ${told}`])
  }
})
