import { expect, test } from 'vitest'
import { createMemoryJournal } from '../../../../src/server/adapters/memory/journal.ts'
import { asGuest } from '../../../helpers/build-test-app.ts'
import { START } from '../../../helpers/test-ports.ts'
import { type EventServer, LIGHT, startEvents } from '../../../helpers/documents/events.ts'
import { type Block, openStream, type StreamReader } from '../../../helpers/documents/stream-reader.ts'

const lookUp = (server: EventServer, path = '') =>
  fetch(`${server.address}${path}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })

async function watch(server: EventServer, path = ''): Promise<StreamReader> {
  const reader = await openStream(`${server.address}${path}/_control/feed`)
  expect(reader.headers['content-type']).toBe('text/event-stream')
  return reader
}

async function nextOf(reader: StreamReader, event: string): Promise<Block> {
  for (;;) {
    const block = await reader.next()
    if (!block) throw new Error(`the feed has ended before ${event} came`)
    if (block.event === event) return block
  }
}

test('a new client of the feed gets the current state and then each request', async () => {
  const server = await startEvents()
  await lookUp(server)
  const reader = await watch(server)
  expect((await nextOf(reader, 'journal')).data).toMatchObject({ skipped: 0, entries: [{ id: 1, operation: 30 }] })
  expect((await nextOf(reader, 'clock')).data).toEqual({ now: '2026-05-06T16:00:00.000Z', frozen: false, offsetMs: 0 })
  expect((await nextOf(reader, 'outbox')).data).toEqual({ totalCount: 0 })
  await lookUp(server)
  expect((await nextOf(reader, 'journal')).data).toMatchObject({ skipped: 0, entries: [{ id: 2 }] })
})

test('the feed starts with the newest 200 journal entries and the number of skipped ones', async () => {
  const server = await startEvents()
  for (let i = 0; i < 230; i++) await server.app.inject({ url: '/stg/us/guest/zipCode', headers: asGuest() })
  const { data } = await nextOf(await watch(server), 'journal')
  const { entries, skipped } = data as { entries: { id: number }[]; skipped: number }
  expect([entries[0]!.id, entries.length, skipped]).toEqual([230, 200, 30])
})

test('the feed reports device events, streams, clock changes and changes by the control API', async () => {
  const server = await startEvents()
  const reader = await watch(server)
  await nextOf(reader, 'outbox')
  await server.emit(LIGHT, 'on')
  expect((await nextOf(reader, 'device')).data).toMatchObject({ deviceEvent: { deviceId: LIGHT, value: 'on' } })
  const { subscriptionId } = await server.stream()
  expect((await nextOf(reader, 'streams')).data).toMatchObject({ items: [{ subscriptionId, eventsSent: 0 }] })
  await server.clockControl.advance(60_000)
  await lookUp(server)
  expect((await nextOf(reader, 'clock')).data).toMatchObject({ now: '2026-05-06T16:01:00.000Z', offsetMs: 60_000 })
  await fetch(`${server.address}/_control/records/sellers/000000000042`, { method: 'DELETE' })
  expect((await nextOf(reader, 'changed')).data).toEqual({ operation: 'deleteRecord' })
})

test('the feed sends a message when the journal is cleared, and then later entries', async () => {
  const server = await startEvents()
  await lookUp(server)
  await lookUp(server)
  const reader = await watch(server)
  await nextOf(reader, 'journal')
  await fetch(`${server.address}/_control/journal`, { method: 'DELETE' })
  expect((await nextOf(reader, 'changed')).data).toEqual({ operation: 'clearJournal' })
  await lookUp(server)
  expect((await nextOf(reader, 'journal')).data).toMatchObject({ entries: [{ id: 1 }], skipped: 0 })
})

test('the feed of a world contains only its events and ends on a reset', async () => {
  const server = await startEvents()
  await server.worlds.create({ name: 'other' })
  const reader = await watch(server, '/w/other')
  await nextOf(reader, 'outbox')
  await lookUp(server)
  await lookUp(server, '/w/other')
  expect((await nextOf(reader, 'journal')).data).toMatchObject({ entries: [{ id: 1 }] })
  await server.worlds.reset('other')
  expect(await reader.ended).toBe('end')
})

test('a new wait gets the next journal entry after an earlier wait has timed out', async () => {
  const journal = createMemoryJournal()
  expect(await journal.next(0, 1)).toBe(0)
  const patient = journal.next(0, 10_000)
  journal.record({ kind: 'request', at: 0, weight: 1, read: (id) => ({ id, kind: 'request', at: START }) })
  expect(await patient).toBeGreaterThan(0)
})

test('image bytes are returned as uploaded, with a policy that prevents scripts', async () => {
  const server = await startEvents()
  const bytes = Buffer.from('89504e470d0a1a0a00', 'hex')
  const sha256 = server.digests.sha256(bytes)
  await server.blobs.put(sha256, bytes)
  await server.store.transaction((tx) =>
    tx.symptomImages.put({
      imageId: 'IMG-1',
      srid: '1234567890',
      ticketNumber: '1234567891',
      fileName: 'a.png',
      contentType: 'image/png',
      size: bytes.length,
      sha256,
      sequence: 1,
      uploadedAt: '2026-05-06T16:00:00.000Z',
    }),
  )
  const reply = await fetch(`${server.address}/_control/images/IMG-1`)
  expect(reply.headers.get('content-type')).toBe('image/png')
  expect(reply.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(bytes)
  expect((await fetch(`${server.address}/_control/images/IMG-2`)).status).toBe(404)
})
