import { expect, test } from 'vitest'
import { verifyJournal } from '../../../../src/server/journal/verification.ts'
import { listJournal } from '../../../../src/server/journal/query.ts'
import { writeArchive } from '../../../../src/server/journal/http-archive.ts'
import { ClientLeft, gather } from '../../../../src/server/http/connection/client-left.ts'
import { buildTestPorts, START } from '../../../helpers/test-ports.ts'

function openReading() {
  const ports = buildTestPorts()
  const left = new AbortController()
  const reads: number[] = []
  const base = { kind: 'request' as const, at: START, request: { headers: {} } }
  const read = (id: number) => {
    reads.push(id)
    if (reads.length === 5) left.abort(new ClientLeft('the client has disconnected'))
    return { ...base, id }
  }
  const exchange = () => {
    read(0)
    return { call: { method: 'GET', path: '/', headers: {} }, reply: { status: 200, headers: {} } }
  }
  for (let i = 0; i < 100; i++)
    ports.journal.record({ kind: 'request', at: Date.parse(START), weight: 1, read, exchange })
  return { ports, signal: left.signal, reads }
}

test('searching the journal stops when its client disconnects', async () => {
  const { ports, signal, reads } = openReading()
  await expect(listJournal(ports, { q: 'nowhere' }, signal)).rejects.toThrow(ClientLeft)
  expect(reads).toHaveLength(5)
})

test('writing an archive ends without an error when its client disconnects', async () => {
  const { ports, signal, reads } = openReading()
  const pieces: string[] = []
  const archive = writeArchive(ports, {}, { base: 'http://a', version: '1', signal })
  for await (const piece of gather(archive)) pieces.push(piece)
  expect([pieces, reads.length]).toEqual([[], 5])
})

test('a verification stops when its client disconnects', async () => {
  const { ports, signal, reads } = openReading()
  const verdict = verifyJournal(ports, { match: { body: { a: 1 } }, withinMs: 60_000 }, signal)
  await expect(verdict).rejects.toThrow(ClientLeft)
  expect(reads).toHaveLength(5)
})
