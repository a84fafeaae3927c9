import { readdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { createTestWorlds } from '../../src/tools/runners/test-worlds.ts'
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts'

test('a test that fails leaves a case, and none when it asked nothing', async () => {
  const cases = makeTemporaryFolder()
  const worlds = createTestWorlds({ server: { port: false }, cases })
  onTestFinished(() => worlds.stop())
  expect(await worlds.end(await worlds.begin(), ['silent'])).toContain('It asked nothing.')
  expect(readdirSync(cases)).toEqual([])
  const asked = await worlds.begin()
  await asked.fetch('/stg/us/guest/zipCode?zipCode=07660', { headers: { 'request-source': 'vendor.com' } })
  expect(await worlds.end(asked, ['asked'])).toContain('asked.jsonl')
  expect(readdirSync(cases)).toEqual(['asked.jsonl'])
})
