import { expect, test } from 'vitest'
import { verifyJournal } from '../../../src/server/journal/verification.ts'
import { holds } from '../../../src/server/chaos/request-match.ts'
import type { JournalVerdict, JournalVerify } from '../../../src/contract/records/control/journal.ts'
import type { JournalRecord } from '../../../src/server/ports/journal.ts'
import { START, buildTestPorts } from '../../helpers/test-ports.ts'

const ENTRIES = 100

/** The names of the criteria, without those of their fields. */
function namesOf(differs: JournalVerdict['nearest'][number]['differs']): string[] {
  return [...new Set(differs.map(({ name }) => name.split('.')[0]!))]
}

function fill() {
  const ports = buildTestPorts()
  const { journal } = ports
  const reads = { whole: 0, request: 0, head: 0 }
  const at = Date.parse(START)
  for (let i = 1; i <= ENTRIES; i++) {
    const record: JournalRecord = {
      kind: 'request',
      at,
      weight: 1,
      read: (id, only) => {
        reads[only ?? 'whole']++
        return { id, kind: 'request', at: START, request: { headers: {}, body: { i } } }
      },
    }
    journal.record(record)
  }
  return { ports, reads }
}

test('a verification does not read the bodies of entries that cannot be among the closest', async () => {
  const { ports, reads } = fill()
  const { nearest } = await verifyJournal(ports, { match: { method: 'PUT', body: {} }, withinMs: 0 })
  expect(nearest.map(({ id, differs }) => [id, namesOf(differs)])).toEqual([100, 99, 98].map((id) => [id, ['method']]))
  expect(reads).toEqual({ whole: 3, request: 3, head: 0 })
})

test('a verification returns the same closest entries as a full evaluation of all entries', async () => {
  const ports = buildTestPorts()
  const pick = <T>(list: readonly T[], i: number) => list[i % list.length]!
  const entries = Array.from({ length: 300 }, (_, i) => ({
    method: pick(['GET', 'POST', 'PUT'], i * 7),
    path: pick(['/a/b/c', '/a/b', '/x', '/a/c/c', '/support-api/stg/a/b'], i * 11),
    status: pick([200, 404, 400], i * 5),
    body: pick([{ i: 1 }, { i: 2, j: 1 }, undefined, { j: 2 }], Math.floor(i / 3)),
    headers: pick([{ h: 'one' }, { h: 'two' }], Math.floor(i / 5)) as Record<string, string>,
  }))
  for (const { method, path, status, body, headers } of entries) {
    const line = { kind: 'request', method, path, status } as const
    const read = (id: number) => ({ id, ...line, at: START, request: { headers, ...(body && { body }) } })
    ports.journal.record({ ...line, at: Date.parse(START), weight: 1, read })
  }
  const matches: JournalVerify['match'][] = [
    { method: 'DELETE' },
    { path: '/a/b/d', body: { i: 3 } },
    { body: { i: 1, j: 1 }, header: { h: 'two' }, method: 'GET', path: '/a/c/d' },
    { status: 500, path: '/x/y', header: { h: 'three' } },
    { method: 'PUT', path: '/a/c/c', status: 418, body: { j: 2 } },
  ]
  for (const match of matches) {
    const judged = entries.map((entry, at) => {
      const { body, header, ...line } = match
      const differs = Object.keys(match).filter((name) => {
        if (name === 'body') return !holds(entry.body, body)
        if (name === 'header') return !entry.headers['h']!.includes(header!['h']!)
        return line[name as keyof typeof line] !== entry[name as 'path']
      })
      const wanted = match.path?.split('/') ?? []
      const other = wanted.findIndex((segment, i) => segment !== entry.path.split('/')[i])
      return { id: at + 1, differs, distance: differs.length - (other < 0 ? 0 : other / (wanted.length + 1)) }
    })
    const expected = judged.toSorted((a, b) => a.distance - b.distance || b.id - a.id).slice(0, 3)
    const { count, nearest } = await verifyJournal(ports, { match, withinMs: 0 })
    expect([count, nearest.map(({ id, differs }) => [id, namesOf(differs)])]).toEqual([
      0,
      expected.map(({ id, differs }) => [id, differs]),
    ])
  }
})

test('a verification omits the closest entries if they are not found in time', async () => {
  const { ports } = fill()
  const advanceBy = (step: number) => {
    let realNow = 0
    const read = () => {
      realNow += step
      return { ...ports.clockControl.read(), realNow }
    }
    return { ...ports.clockControl, read }
  }
  const clockControl = advanceBy(100)
  const withinMs = 0
  const verdict = await verifyJournal({ ...ports, clockControl }, { match: { body: { i: 'none' } }, withinMs })
  expect([verdict.matched, verdict.count, verdict.nearest.map(({ id }) => id)]).toEqual([false, 0, [100, 99, 98]])
  const slow = advanceBy(1000)
  const late = await verifyJournal({ ...ports, clockControl: slow }, { match: { body: { i: 'none' } }, withinMs })
  expect([late.matched, late.count, late.nearest]).toEqual([false, 0, []])
})

test('a verification reads each body only once, including for the differences', async () => {
  const { ports, reads } = fill()
  const { nearest } = await verifyJournal(ports, { match: { body: { i: 200 } }, withinMs: 0 })
  expect([nearest.map(({ differs }) => namesOf(differs)), reads]).toEqual([
    Array(3).fill(['body']),
    { whole: 3, request: ENTRIES, head: 0 },
  ])
})

test('a waiting verification reads only entries that arrived after its first scan', async () => {
  const { ports, reads } = fill()
  const { journal } = ports
  const verdict = verifyJournal(ports, { match: { body: { i: 200 } }, withinMs: 60_000 })
  await expect.poll(() => reads.request).toBe(ENTRIES)
  const added = { kind: 'request', at: START, request: { headers: {}, body: { i: 200 } } } as const
  journal.record({ kind: 'request', at: Date.parse(START), weight: 1, read: (id) => ({ id, ...added }) })
  expect(await verdict).toMatchObject({ matched: true, count: 1, entries: [{ id: ENTRIES + 1 }] })
  expect(reads).toEqual({ whole: 0, request: ENTRIES, head: 0 })
})
