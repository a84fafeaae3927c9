import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTestWorlds } from '../../src/tools/testing/test-worlds.ts'
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts'

test('the case and its page are saved if a failed test sent requests', async () => {
  const cases = makeTemporaryFolder()
  const worlds = createTestWorlds({ server: { port: false }, cases })
  onTestFinished(() => worlds.stop())
  expect(await worlds.end(await worlds.begin('silent'), ['silent'])).toContain('The test sent no requests.')
  expect(readdirSync(cases)).toEqual([])
  const asked = await worlds.begin('a zip code is looked up')
  expect(asked.name).toMatch(/^a-zip-code-is-looked-up-[0-9a-f]{8}$/)
  await asked.fetch('/stg/us/guest/zipCode?zipCode=07660', { headers: { 'request-source': 'vendor.com' } })
  const told = await worlds.end(asked, ['support', 'asked'])
  expect(told).toMatch(/^Replay the case: npx --no vendor-cloud replay .*support-asked\.jsonl$/m)
  expect(told).toMatch(/^Case page \(open in a browser\): .*support-asked\.html$/m)
  expect(readdirSync(cases).sort()).toEqual(['support-asked.html', 'support-asked.jsonl'])
  expect(readFileSync(join(cases, 'support-asked.html'), 'utf8')).toMatch(
    /"name":"support > asked".*\/stg\/us\/guest\/zipCode\?zipCode=07660/s,
  )
})

test('the report of a failed test names the faults that no request has triggered', async () => {
  const worlds = createTestWorlds({ server: { port: false }, cases: false })
  onTestFinished(() => worlds.stop())
  const world = await worlds.begin('faults')
  await world.faults.add({ match: { operation: 3 }, respond: { status: 503 } })
  await world.faults.add({ match: { operation: 30 }, respond: { status: 503 } })
  await world.fetch('/stg/us/guest/zipCode?zipCode=07660', { headers: { 'request-source': 'vendor.com' } })
  const report = await worlds.end(world, ['faults'])
  expect(report).toMatch(/Faults that no request has triggered:\n {2}\S+ {"operation":3}\n$/)
})

test.each(['', '  ', '★', 'é'.repeat(200), '-a-'])('a world is created for a test with the title %j', async (title) => {
  const worlds = createTestWorlds({ server: { port: false } })
  onTestFinished(() => worlds.stop())
  expect((await worlds.begin(title)).name).toMatch(/^[a-z0-9-]{8,64}$/)
})
