import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/server/config.ts'
import { type RunningServer, startServer } from '../../../src/server/server.ts'
import { createWorldClient } from '../../../src/tools/client/world-client.ts'
import { call } from '../../system/acceptance/server.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { expectPast, expectPlayed, pastCases, playPast } from './past-cases.ts'

async function start(settings: Readonly<Record<string, string>> = {}) {
  const server = await startServer(readConfig({ PORT: '0', ...settings }))
  onTestFinished(() => server.close())
  return server
}

/**
 * Numbers of the requests after which the state is restored. The state after the last request is always restored too.
 * `npm run test:endurance` restores all states.
 */
const NUMBERS = [1, 3]

describe('past states of recorded worlds', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startServer(readConfig({ PORT: '0' }))
  })
  afterAll(() => server.close())

  const cases = Object.entries(pastCases).map(([title, play], n) => [title, `past-${n}`, play] as const)
  test.each(cases)('a past state and its recording are restored byte for byte: %s', async (_, name, play) => {
    const { url, moments } = await playPast(server.url, name, play, NUMBERS)
    await expectPast(server.url, name, moments)
    await expectPlayed(url, moments)
  })
})

test('a world on disk restores a past state and its recording byte for byte', async () => {
  const { url } = await start({ DATA_DIR: makeTemporaryFolder() })
  const { url: world, moments } = await playPast(
    url,
    'past',
    pastCases['a ticket is booked, moved and cancelled']!,
    NUMBERS,
  )
  await expectPast(url, 'past', moments)
  await expectPlayed(world, moments, { DATA_DIR: makeTemporaryFolder() })
})

test('the error for forking from an unavailable step names the available steps', async () => {
  const { url } = await start()
  const make = (draft: object) => call(`${url}/_control/worlds`, 'POST', draft)
  await make({ name: 'plain' })
  await make({ name: 'rec', now: '2026-03-02T15:00:00Z', frozen: true })
  await call(`${url}/w/rec/_control/recordings`, 'POST', {})
  expect(await make({ from: 'rec', at: 1 })).toMatchObject({
    status: 400,
    text: expect.stringContaining('no steps yet'),
  })
  await call(`${url}/w/rec/_control/tokens`, 'POST', { user: 'u', scopes: [], locations: [], expiresIn: 60 })
  expect(await make({ from: 'rec', at: 2 })).toMatchObject({ status: 400, text: expect.stringContaining('are 1 to 1') })
  for (const at of [0, -1, 1.5, '1', 'x', '2026-03-02T14:59:59Z', null, {}]) {
    expect(await make({ from: 'rec', at }), JSON.stringify(at)).toMatchObject({ status: at === null ? 200 : 400 })
  }
  expect(await make({ at: 1 })).toMatchObject({ status: 400 })
  expect(await make({ from: 'rec', at: 1, seed: 's' })).toMatchObject({ status: 400 })
  expect(await make({ from: 'nobody', at: 1 })).toMatchObject({
    status: 404,
    text: expect.stringContaining('; try default'),
  })
  expect(await make({ from: 'plain', at: 1 })).toMatchObject({
    status: 409,
    text: expect.stringContaining('Recorded worlds: rec'),
  })
  expect(await make({ name: 'plain', from: 'rec', at: 1 })).toMatchObject({ status: 409 })
  const late = await make({ name: 'late', from: 'rec', at: '2026-03-02T15:00:00.000Z', profile: 'strict' })
  expect(late).toMatchObject({ status: 200, json: { at: 1, from: 'rec', profile: 'strict' } })
  const diff = (path: string) => call(`${url}/_control/worlds/${path}`, 'GET')
  expect((await diff('rec/diff?with=late')).json).toMatchObject({
    same: true,
    counts: { added: 0, removed: 0, changed: 0 },
  })
  expect(await diff('rec/diff')).toMatchObject({ status: 400 })
  expect(await diff('rec/diff?with=rec&at=9')).toMatchObject({ status: 400 })
  expect(await diff('rec/diff?with=nobody')).toMatchObject({ status: 404 })
  expect(await diff('plain/diff?with=rec&at=1')).toMatchObject({ status: 409 })
})

test('an invalid step or timestamp is rejected instead of being treated as the current state', async () => {
  const { url } = await start()
  await call(`${url}/_control/worlds`, 'POST', { name: 'kept', now: '2026-03-02T15:00:00Z' })
  await call(`${url}/w/kept/_control/recordings`, 'POST', {})
  await call(`${url}/w/kept/_control/clock/advance`, 'POST', { duration: 'P1D' })
  const rewind = (draft: object) => call(`${url}/_control/worlds`, 'POST', { from: 'kept', ...draft })
  expect(await rewind({ at: '' })).toMatchObject({ status: 400, json: { error: { details: [{ target: 'body.at' }] } } })
  expect(await rewind({ at: 1, frozen: false })).toMatchObject({
    status: 400,
    json: { error: { details: [{ target: 'body.frozen' }] } },
  })
  expect(await rewind({ at: 1, frozen: true })).toMatchObject({ status: 200, json: { at: 1 } })
  const world = createWorldClient(url, { world: 'kept' })
  for (const at of [Number.NaN, Number.POSITIVE_INFINITY, null, undefined, '', new Date('never')]) {
    await expect(world.rewind(at as number)).rejects.toThrow(
      /^at is .*. It must be a step number, an ISO 8601 timestamp or a Date/,
    )
  }
  expect((await call(`${url}/_control/worlds`, 'GET')).json).toMatchObject({ totalCount: 3 })
})
