import { expect, test } from 'vitest'
import type { JournalEntry } from '../../../src/tools/client/types.ts'
import { listChecks } from '../../../src/tools/examine/scenarios/contents.ts'
import { Transcript } from '../../../src/tools/examine/transcript.ts'

const checkNamed = (wanted: string) => listChecks().find(({ name }) => name === wanted)!.evaluate

/** A GET request for a stream after this number of milliseconds. */
const open = (id: number, ms: number, rest: Partial<JournalEntry>): JournalEntry => ({
  id,
  at: new Date(ms).toISOString(),
  kind: 'request',
  operation: 'stream',
  method: 'GET',
  status: 200,
  ...rest,
})

test('requests for two different streams do not count as early reconnects', () => {
  const backsOff = checkNamed('backs-off')
  const refused = (id: number, ms: number, path: string) => open(id, ms, { path, status: 503 })
  const back = open(3, 1000, { path: '/a' })
  const calm = [refused(1, 0, '/a'), refused(2, 5, '/b'), back, open(4, 1005, { path: '/a', status: 204 })]
  expect(backsOff(new Transcript(calm))).toBe('passed')
  const hasty = [refused(1, 0, '/a'), refused(2, 5, '/a'), back]
  expect(backsOff(new Transcript(hasty))).toEqual([hasty[1]])
})

test('a replaced stream that reconnects does not count as an early reconnect', () => {
  const frame = (id: number, ms: number, eventId: string): JournalEntry => ({
    id,
    at: new Date(ms).toISOString(),
    kind: 'frame',
    frame: { subscriptionId: 's', event: 'DEVICE_EVENT', id: eventId, data: {} },
  })
  const resume = (id: number, ms: number, eventId: string) => open(id, ms, { query: `lastEventId=${eventId}` })
  // Stream 3 replaces stream 2 after the mark and is cut off at 100 ms.
  const entries = [frame(1, 0, '2-5'), resume(2, 50, '1-3'), frame(3, 60, '3-1'), frame(4, 100, '3-2')]
  const verdict = (...later: JournalEntry[]) =>
    checkNamed('honours-retry')(new Transcript([...entries, ...later], new Map([['disturbed', 1]])))
  const early = resume(5, 150, '3-2')
  expect(verdict(resume(5, 150, '2-5'), resume(6, 800, '3-2'))).toBe('passed')
  expect(verdict(early)).toEqual([entries[3], early])
})

test('a check that observed nothing is reported as not covered', () => {
  for (const { name, evaluate } of listChecks())
    expect([name, evaluate(new Transcript([]))]).toEqual([name, 'not covered'])
})
