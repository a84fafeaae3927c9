import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { VendorCloudWorld } from '../../src/index.ts'
import { createTestWorlds } from '../../src/tools/testing/test-worlds.ts'
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts'

const lookUp = (world: VendorCloudWorld) =>
  world.fetch('/stg/us/guest/zipCode?zipCode=07660', { headers: { 'request-source': 'vendor.com' } })

test('the case and its page are saved if a failed test sent requests', async () => {
  const cases = makeTemporaryFolder()
  const worlds = createTestWorlds({ server: { port: false }, cases })
  onTestFinished(() => worlds.stop())
  const silent = await worlds.begin('silent')
  const { name, url } = silent.world
  const question = `World ${name} has no requests in its journal. Does the client use world.url (${url})?`
  expect(await silent.end(true)).toBe(`\n"silent" failed. ${question}\n`)
  expect(readdirSync(cases)).toEqual([])
  const { world, end } = await worlds.begin('a zip code is looked up', ['support', 'asked'])
  expect(world.name).toMatch(/^a-zip-code-is-looked-up-[0-9a-f]{8}$/)
  await lookUp(world)
  const told = await end(true)
  expect(told).toMatch(/^Replay the case: npx --no vendor-cloud replay .*support-asked\.jsonl$/m)
  expect(told).toMatch(/^Case page \(open in a browser\): .*support-asked\.html$/m)
  expect(readdirSync(cases).sort()).toEqual(['support-asked.html', 'support-asked.jsonl'])
  expect(readFileSync(join(cases, 'support-asked.html'), 'utf8')).toMatch(
    /"name":"support > asked".*\/stg\/us\/guest\/zipCode\?zipCode=07660/s,
  )
})

test('each failed test saves its own case when the titles differ only in punctuation', async () => {
  const cases = makeTemporaryFolder()
  const worlds = createTestWorlds({ server: { port: false }, cases })
  onTestFinished(() => worlds.stop())
  for (const [title, hasFailed] of [
    ['GET a', true],
    ['GET /a', false],
    ['GET a', true],
    ['GET a 2', true],
  ] as const) {
    const { world, end } = await worlds.begin(title)
    await lookUp(world)
    await end(hasFailed)
  }
  const saved = readdirSync(cases).filter((name) => name.endsWith('.jsonl'))
  expect(saved.sort()).toEqual(['get-a-2-2.jsonl', 'get-a-3.jsonl', 'get-a.jsonl'])
})

test('the replay command contains the path in quotes when the path has spaces', async () => {
  const worlds = createTestWorlds({ server: { port: false }, cases: join(makeTemporaryFolder(), 'my cases') })
  onTestFinished(() => worlds.stop())
  const { world, end } = await worlds.begin('quoted')
  await lookUp(world)
  expect(await end(true)).toMatch(/^Replay the case: npx --no vendor-cloud replay ".+my cases.quoted\.jsonl"$/m)
})

test('the report of a failed test names the faults that no request has triggered', async () => {
  const worlds = createTestWorlds({ server: { port: false }, cases: false })
  onTestFinished(() => worlds.stop())
  const { world, end } = await worlds.begin('faults')
  await world.faults.add({ match: { operation: 3 }, respond: { status: 503 } })
  await world.faults.add({ match: { operation: 30 }, respond: { status: 503 } })
  await lookUp(world)
  const report = await end(true)
  expect(report).toMatch(/Faults that no request has triggered:\n {2}\S+ {"operation":3}\n$/)
})

test.each(['', '  ', '★', 'é'.repeat(200), '-a-'])('a world is created for a test with the title %j', async (title) => {
  const worlds = createTestWorlds({ server: { port: false } })
  onTestFinished(() => worlds.stop())
  expect((await worlds.begin(title)).world.name).toMatch(/^[a-z0-9-]{8,64}$/)
})

test('each test starts with the world that prepare made once', async () => {
  let runs = 0
  const prepare = async (world: VendorCloudWorld) => {
    runs++
    await world.records.delete('stores', 'C100-101')
    await world.clock.advance('P1D')
  }
  const now = '2026-05-06T16:00:00Z'
  const worlds = createTestWorlds({ server: { port: false }, world: { seed: 's', now, frozen: true }, prepare })
  onTestFinished(() => worlds.stop())
  for (const title of ['first', 'second']) {
    const { world } = await worlds.begin(title)
    expect((await world.clock.read()).now).toBe('2026-05-07T16:00:00.000Z')
    expect(await world.journal()).toEqual([])
    await expect(world.records.get('stores', 'C100-101')).rejects.toThrow('C100-101')
    await world.records.delete('stores', 'C100-102')
  }
  expect(runs).toBe(1)
})

test('each test reports the error of prepare', async () => {
  const prepare = () => Promise.reject(new Error('no such store'))
  const worlds = createTestWorlds({ server: { port: false }, prepare })
  onTestFinished(() => worlds.stop())
  for (const title of ['first', 'second']) await expect(worlds.begin(title)).rejects.toThrow('no such store')
})

test('createTest rejects an unknown option with the names of its options', () => {
  const options: object = { wrld: {} }
  expect(() => createTestWorlds(options)).toThrow(
    'wrld is not an option of createTest. Use server, world, prepare or cases',
  )
})

test('the teardown does not repeat the error of a server that cannot start', async () => {
  const worlds = createTestWorlds({ server: { settings: { PORT: 'x' } } })
  await expect(worlds.begin('started')).rejects.toThrow('PORT')
  await expect(worlds.stop()).resolves.toBeUndefined()
})

test('the report of a failed test names the error once when the test deleted its world', async () => {
  const worlds = createTestWorlds({ server: { port: false }, cases: makeTemporaryFolder() })
  onTestFinished(() => worlds.stop())
  const { world, end } = await worlds.begin('deleted')
  await world.delete()
  expect(await end(true)).toMatch(/^\n"deleted" failed\. [^\n]+\n$/)
})
