import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../../src/commands/run.ts'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'
import { tellCall } from '../../../src/tools/story/sentence.ts'
import { tellEntry } from '../../../src/tools/story/story.ts'
import { findSummary } from '../../../src/tools/story/summaries.ts'
import { listOperationNames } from '../../../src/contract/documents/find-operation.ts'
import { pastCases, playPast } from '../../server/worlds/past-cases.ts'

async function run(...args: string[]) {
  let [stdout, stderr] = ['', '']
  const code = await runCommand(args, {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
  })
  return { code, stdout, stderr }
}

test('logs --story tells who does what, where and when, and why it is refused, a line a call', async () => {
  const { url, close } = await startServer(readConfig({ PORT: '0' }))
  onTestFinished(close)
  await playPast(url, 'told', pastCases['a ticket is booked, moved and cancelled']!)
  const { code, stdout } = await run('logs', '--story', '--world', 'told', '--url', url)
  expect(code).toBe(0)
  const lines = stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(5)
  expect(lines[1]).toMatch(/^2026-03-02T15:00:00.000Z dealer-erin books [AP]M of \d+ March at ASC001 \(.*\): done$/)
  expect(lines[2]).toMatch(/dealer-erin books .*: refused, an overlapping appointment is held already.*\(our choice/)
  expect(lines[3]).toMatch(/dealer-erin moves the appointment of a ticket .* of \d+ March/)
  expect(lines[4]).toMatch(/dealer-erin cancels a ticket \(\d{10}\)/)
  expect(await run('logs', '--story', '--json', '--url', url)).toMatchObject({ code: 2 })
})

test('every operation of the documents has a sentence that begins with a verb', () => {
  const told = listOperationNames().map((name) =>
    tellCall({ caller: 'web-alice', summary: findSummary(name), status: 200 }),
  )
  for (const sentence of told) expect(sentence).toMatch(/^web-alice [a-z]+s (?!undefined).*: done$/)
  expect(told.length).toBeGreaterThan(45)
})

test('texts from anywhere stay texts: names of object’s own, markup and control characters', () => {
  const body = JSON.parse('{"__proto__": {"srid": "x"}, "srid": "<b>\\u001b[31m", "zipCode": {"a": 1}}') as unknown
  const told = tellCall({ caller: 'x', summary: 'Constructor', method: 'GET', path: '/', body, status: 400 })
  expect(told).toBe('x asks for constructor (request <b>\u001b[31m): refused, status 400')
})

test('a refusal by the contract names its first rule and where that stands', () => {
  const findings = [
    { code: 'InvalidParameter', message: 'query.zipCode must be a 5-digit US zip code', target: 'query.zipCode' },
  ].map((finding) => ({ ...finding, source: 'document 1, operation 30' }))
  const entry = { id: 1, kind: 'request', at: '2026-03-02T15:00:00.000Z', operation: 30, status: 400 } as const
  const why = { code: 'ConstraintViolationError', message: 'invalid zip code', findings }
  expect(tellEntry({ ...entry, why })).toMatch(
    /: refused, invalid zip code: query\.zipCode must be a 5-digit US zip code \(document 1, operation 30\)$/,
  )
})
