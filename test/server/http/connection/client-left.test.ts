import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { verifyJournal } from '../../../../src/server/domain/control/journal-verification.ts'
import { listJournal } from '../../../../src/server/domain/control/journal.ts'
import { writeArchive } from '../../../../src/server/control/recordings/http-archive.ts'
import { ClientLeft, gather, portsWhileHeard } from '../../../../src/server/http/connection/client-left.ts'
import { buildTestPorts, START } from '../../../helpers/test-ports.ts'

function openReading() {
  const ports = buildTestPorts()
  const socket = new Socket()
  const reads: number[] = []
  const base = { kind: 'request' as const, at: START, request: { headers: {} } }
  const read = (id: number) => {
    reads.push(id)
    if (reads.length === 5) socket.destroy()
    return { ...base, id }
  }
  const whole = () => {
    read(0)
    return { call: { method: 'GET', path: '/', headers: {} }, reply: { status: 200, headers: {} } }
  }
  for (let i = 0; i < 100; i++) ports.journal.record({ kind: 'request', at: Date.parse(START), weight: 1, read, whole })
  return { ports, heard: portsWhileHeard({ ports, raw: new IncomingMessage(socket) }), reads }
}

test('no further entry is searched for a client that has left', async () => {
  const { heard, reads } = openReading()
  await expect(listJournal(heard, { q: 'nowhere' })).rejects.toThrow(ClientLeft)
  expect(reads).toHaveLength(5)
})

test('an archive for a client that has left ends quietly, and no further entry is read', async () => {
  const { heard, reads } = openReading()
  const pieces: string[] = []
  for await (const piece of gather(writeArchive(heard, {}, { base: 'http://a', version: '1' }))) pieces.push(piece)
  expect([pieces, reads.length]).toEqual([[], 5])
})

test('no further entry is verified for a client that has left', async () => {
  const { heard, reads } = openReading()
  const verdict = verifyJournal(heard, { match: { body: { a: 1 } }, withinMs: 60_000 })
  await expect(verdict).rejects.toThrow(ClientLeft)
  expect(reads).toHaveLength(5)
})

test('who verifies beside a client that has left gets the whole verdict', async () => {
  const { ports, heard, reads } = openReading()
  const match = { body: { a: 1 } }
  const leaves = verifyJournal(heard, { match, withinMs: 60_000 })
  const stays = verifyJournal(ports, { match, withinMs: 0 })
  await expect(leaves).rejects.toThrow(ClientLeft)
  expect(await stays).toMatchObject({ matched: false, count: 0, nearest: [{}, {}, {}] })
  expect(new Set(reads).size).toBe(100)
})
