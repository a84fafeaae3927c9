import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { replayText } from '../../../src/cli/cases/replay.ts'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'
import { call } from '../../system/acceptance/server.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { read } from './past-cases.ts'

async function start(settings: Readonly<Record<string, string>> = {}) {
  const server = await startServer(readConfig({ PORT: '0', ...settings }))
  onTestFinished(() => server.close())
  return server
}

const engines = { memory: () => ({}), disk: () => ({ DATA_DIR: makeTemporaryFolder() }) } as const
const eachEngine = Object.keys(engines) as (keyof typeof engines)[]

const guest = { 'request-source': 'vendor.com' }
const ask = async (world: string) =>
  (await call(`${world}/stg/us/guest/zipCode?zipCode=07660`, 'GET', undefined, guest)).status
const askMany = async (world: string, times: number) => {
  const statuses: number[] = []
  for (let i = 0; i < times; i++) statuses.push(await ask(world))
  return statuses
}
/** The second fault applies only twice. */
const faults = [
  { match: { operation: 38 }, respond: { status: 503 } },
  { match: { operation: 30 }, respond: { status: 503 }, times: 2 },
]
const profile = { profile: 'fails-twice', faults }
const applyProfile = (world: string) => call(`${world}/_control/profile`, 'PUT', profile)
const listHits = async (world: string) => {
  const { items } = (await call(`${world}/_control/faults`, 'GET')).json as { items: { hits: number }[] }
  return items.map(({ hits }) => hits)
}

test.each(eachEngine)(
  'on %s, forks, snapshots and fork resets preserve the hit counts of profile faults',
  async (engine) => {
    const { url } = await start(engines[engine]())
    const make = (draft: object) => call(`${url}/_control/worlds`, 'POST', draft)
    await make({ name: 'source', profile })
    const source = `${url}/w/source`
    expect(await ask(source)).toBe(503)
    const snapshot = await read(source, '/_control/snapshot')
    await make({ name: 'fork', from: 'source' })
    await make({ name: 'anew', from: 'source', profile })
    expect(await listHits(`${url}/w/fork`)).toEqual([0, 1])
    for (const world of [source, `${url}/w/fork`]) expect(await askMany(world, 2)).toEqual([503, 200])
    expect(await askMany(`${url}/w/anew`, 3)).toEqual([503, 503, 200])
    await call(`${url}/w/fork/_control/reset`, 'POST')
    expect(await askMany(`${url}/w/fork`, 2)).toEqual([503, 200])
    await call(`${url}/_control/snapshot`, 'PUT', snapshot)
    expect(await read(url, '/_control/snapshot')).toBe(snapshot)
    expect(await askMany(url, 2)).toEqual([503, 200])
    // The world was created with the profile.
    await call(`${source}/_control/reset`, 'POST')
    expect(await askMany(source, 3)).toEqual([503, 503, 200])
  },
)

test.each(eachEngine)('on %s, a recording that started after a fault was hit can be replayed', async (engine) => {
  const { url } = await start()
  await applyProfile(url)
  await ask(url)
  await call(`${url}/_control/recordings`, 'POST', {})
  expect(await askMany(url, 3)).toEqual([503, 200, 200])
  const text = await read(url, '/_control/recordings/current')
  expect(await replayText(text, engines[engine]())).toMatchObject({ same: true })
})

test('the hit counts of profile faults are preserved when the server restarts', async () => {
  const settings = { DATA_DIR: makeTemporaryFolder() }
  const first = await start(settings)
  await applyProfile(first.url)
  await ask(first.url)
  const before = await read(first.url, '/_control/records/settings')
  await first.close()
  const { url } = await start(settings)
  expect(await read(url, '/_control/records/settings')).toBe(before)
  expect(await listHits(url)).toEqual([0, 1])
  expect(await askMany(url, 2)).toEqual([503, 200])
})

test('setting or removing a profile resets its hit counts, and each request counts only once', async () => {
  const { url } = await start()
  await applyProfile(url)
  const many = await Promise.all(Array.from({ length: 8 }, () => ask(url)))
  expect(many.toSorted()).toEqual([200, 200, 200, 200, 200, 200, 503, 503])
  expect(await listHits(url)).toEqual([0, 2])
  await applyProfile(url)
  expect(await listHits(url)).toEqual([0, 0])
  expect(await ask(url)).toBe(503)
  await call(`${url}/_control/profile`, 'DELETE')
  expect(await read(url, '/_control/records/settings')).not.toContain('profile')
})

test('hit counts put as a settings record take effect immediately', async () => {
  const { url } = await start()
  await applyProfile(url)
  const put = (value: unknown) =>
    call(`${url}/_control/records/settings/profile-hits`, 'PUT', { value: JSON.stringify(value) })
  for (const wrong of [-1, [-1], ['1'], {}, [1.5], Array.from({ length: 101 }, () => 0)]) {
    expect((await put(wrong)).status, JSON.stringify(wrong)).toBe(400)
  }
  // A fault without `times` has no limit.
  expect((await put([Number.MAX_SAFE_INTEGER, 2])).status).toBe(200)
  const symptoms = `${url}/stg/us/instore/noauth/symptoms`
  expect((await call(symptoms, 'GET', undefined, guest)).status).toBe(503)
  expect(await ask(url)).toBe(200)
  await call(`${url}/_control/records/settings/profile-hits`, 'DELETE')
  expect(await ask(url)).toBe(503)
})

test('the profile set by PROFILE applies to every world, even after a reset', async () => {
  const folder = makeTemporaryFolder()
  const file = join(folder, 'theirs.yaml')
  writeFileSync(
    file,
    'profile: theirs\nfaults:\n  - { match: { operation: getGuestZipCode }, respond: { status: 503 } }\n',
  )
  const snapshot = join(folder, 'snapshot.json')
  const before = await start()
  await call(`${before.url}/_control/profile`, 'PUT', { profile: 'before' })
  writeFileSync(snapshot, await read(before.url, '/_control/snapshot'))
  const data = { DATA_DIR: join(folder, 'data') }
  for (const settings of [{}, { SNAPSHOT: snapshot }, { SNAPSHOT: snapshot, ...data }]) {
    const { url } = await start({ PROFILE: file, ...settings })
    await call(`${url}/_control/worlds`, 'POST', { name: 'later' })
    expect([await ask(url), await ask(`${url}/w/later`)]).toEqual([503, 503])
    await call(`${url}/_control/reset`, 'POST')
    expect(await ask(url)).toBe(503)
    expect((await call(`${url}/_control/status`, 'GET')).json).toMatchObject({ profile: 'theirs' })
  }
})

test('a PROFILE with an unknown operation is rejected at startup even with a stored world', async () => {
  const folder = makeTemporaryFolder()
  const settings = { DATA_DIR: join(folder, 'data') }
  await (await start(settings)).close()
  const file = join(folder, 'theirs.json')
  writeFileSync(file, JSON.stringify({ profile: 'theirs', faults: [{ match: { operation: 99 }, delayMs: 1 }] }))
  await expect(start({ ...settings, PROFILE: file })).rejects.toThrow('PROFILE.faults[0].match.operation')
})
