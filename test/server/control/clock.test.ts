import { expect, test } from 'vitest'
import { buildTestApp } from '../../helpers/build-test-app.ts'
import { START } from '../../helpers/test-ports.ts'
import { readParts, writeParts } from '../../helpers/documents/snapshots.ts'

const at = (milliseconds: number) => new Date(Date.parse(START) + milliseconds).toISOString()
const put = (payload: object) => ({ method: 'PUT', url: '/_control/clock', payload }) as const
const advance = (duration: unknown) =>
  ({ method: 'POST', url: '/_control/clock/advance', payload: { duration } }) as const

test('PUT /_control/clock sets the time, and freezes or resumes the clock', async () => {
  const { app, clock } = buildTestApp()
  expect((await app.inject(put({ now: '2020-02-29T12:00:00+01:00', frozen: true }))).json()).toMatchObject({
    now: '2020-02-29T11:00:00.000Z',
    frozen: true,
  })
  clock.advance(1000)
  expect((await app.inject('/_control/clock')).json().now).toBe('2020-02-29T11:00:00.000Z')
  expect((await app.inject(put({ frozen: false }))).json()).toMatchObject({ frozen: false })
  clock.advance(1000)
  expect((await app.inject('/_control/clock')).json().now).toBe('2020-02-29T11:00:01.000Z')
})

test.each([
  ['P31D', 31 * 86_400_000],
  ['PT90S', 90_000],
  ['PT0.25S', 250],
  [1500, 1500],
  ['P1M', 31 * 86_400_000],
  ['PT0S', 0],
])('the clock is advanced by the duration %s', async (duration, milliseconds) => {
  const { app } = buildTestApp()
  expect((await app.inject(advance(duration))).json()).toEqual({
    now: at(milliseconds),
    frozen: false,
    offsetMs: milliseconds,
    due: 0,
    dueTasks: [],
  })
})

test.each([-1, 1500.5, 0.1, '-P1D', 'P-1D', 'tomorrow', '', null, 1e300, 'P99999Y'])(
  'advancing the clock by %j returns 400',
  async (duration) => {
    const { app } = buildTestApp()
    expect((await app.inject(advance(duration))).statusCode).toBe(400)
  },
)

test('DELETE /_control/clock returns to real time', async () => {
  const { app } = buildTestApp()
  await app.inject(put({ now: '2020-01-01T00:00:00Z', frozen: true }))
  expect((await app.inject({ method: 'DELETE', url: '/_control/clock' })).json()).toEqual({
    now: START,
    frozen: false,
    offsetMs: 0,
    due: 0,
    dueTasks: [],
  })
})

test('a JSON body is accepted with any content type, so that plain curl -d works', async () => {
  const { app } = buildTestApp()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const request = { method: 'POST', url: '/_control/clock/advance', headers, payload: '{"duration":"PT1S"}' } as const
  expect((await app.inject(request)).json().now).toBe(at(1000))
})

test.each([
  '0000-01-01T00:00:00Z',
  '0099-06-01T00:00:00Z',
  '1999-12-31T23:59:59Z',
  '9001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
])('the time %s is rejected for a clock, a new world and a snapshot', async (now) => {
  const { app } = buildTestApp()
  const snapshot = readParts((await app.inject('/_control/snapshot')).payload)
  const sent = [
    { method: 'PUT', url: '/_control/clock', payload: { now } },
    { method: 'POST', url: '/_control/worlds', payload: { name: 'odd', now } },
    { method: 'PUT', url: '/_control/snapshot', payload: writeParts({ ...snapshot, clock: { frozenAt: now } }) },
  ] as const
  for (const request of sent) expect([request.url, (await app.inject(request)).statusCode]).toEqual([request.url, 400])
})

test.each(['2000-01-01T00:00:00.000Z', '9000-12-31T00:00:00.000Z'])('a clock can be set to %s', async (now) => {
  const { app } = buildTestApp()
  expect((await app.inject({ method: 'PUT', url: '/_control/clock', payload: { now } })).json()).toMatchObject({ now })
})

test('a duration of over 999 years is rejected, and the message names the limit', async () => {
  const { app } = buildTestApp()
  const { error } = (await app.inject(advance('P9999Y'))).json()
  expect(error.message).toContain('at most P999Y')
  expect((await app.inject(advance('P999Y'))).statusCode).toBe(200)
})

const TEN = '2026-12-01T10:00:00.000Z'

test.each([
  '2026-12-01T10:00Z',
  '2026-12-01t10:00:00z',
  '2026-12-01T10:00:00+0000',
  '2026-12-01T11:00+01:00',
  '2026-12-01T04:30-0530',
  '2026-12-01T10:00:00.000000000Z',
])('every request with a timestamp accepts the form %s', async (written) => {
  const { app } = buildTestApp()
  const snapshot = readParts((await app.inject('/_control/snapshot')).payload)
  const sent = [
    { method: 'PUT', url: '/_control/clock', payload: { now: written, frozen: true } },
    { method: 'POST', url: '/_control/worlds', payload: { name: 'other', now: written, frozen: true } },
    {
      method: 'POST',
      url: '/_control/faults',
      payload: { match: { path: '/subscriptions' }, delayMs: 1, from: written },
    },
    { method: 'POST', url: '/_control/pact-states', payload: { state: `the clock is at ${written}` } },
    { method: 'GET', url: `/_control/journal?since=${encodeURIComponent(written)}` },
    { method: 'PUT', url: '/_control/snapshot', payload: writeParts({ ...snapshot, clock: { frozenAt: written } }) },
  ] as const
  for (const request of sent) {
    const { statusCode, payload } = await app.inject(request)
    expect([request.url, statusCode < 300, statusCode < 300 || payload]).toEqual([request.url, true, true])
  }
  expect((await app.inject('/_control/clock')).json().now).toBe(TEN)
  expect((await app.inject('/w/other/_control/clock')).json().now).toBe(TEN)
})

test.each([
  '2026-12-01T10Z',
  '2026-12-01T10:00',
  '2026-12-01',
  '2026-13-01T10:00Z',
  '2026-12-01T25:00Z',
  '1796119200000',
])('the timestamp %s is rejected', async (now) => {
  const { app } = buildTestApp()
  const { statusCode } = await app.inject({ method: 'PUT', url: '/_control/clock', payload: { now } })
  expect(statusCode).toBe(400)
})
