import { expect, test } from 'vitest'
import type { FaultResponse } from '../../../src/contract/records/control/fault-response.ts'
import { parseCase } from '../../../src/contract/files/case.ts'
import { injectStreamFault } from '../../../src/server/domain/events/streams.ts'
import { toCaseView } from '../../../src/tools/cases/view/case-view.ts'
import { toMermaid } from '../../../src/tools/cases/view/mermaid.ts'
import { LIGHT, startEvents } from '../../helpers/documents/events.ts'
import { entriesOf } from '../../helpers/journal.ts'
import { openStream, valueIn } from '../../helpers/documents/stream-reader.ts'

async function hits(respond: FaultResponse) {
  const server = await startEvents({ events: { heartbeatSeconds: 0.02 } })
  const fault = { match: { operation: 'stream' }, respond, times: 1 }
  await server.call('POST', '/_control/faults', { body: fault, headers: { 'content-type': 'application/json' } })
  const created = await server.subscribe()
  return {
    ...server,
    ...created,
    open: (id?: string) => openStream(created.registrationUrl, id === undefined ? {} : { 'last-event-id': id }),
  }
}

test('a cut fault ends an event stream after 200 bytes, and the stream can resume', async () => {
  const { open, emit } = await hits({ cut: 200 })
  const first = await open()
  expect(first.headers['content-type']).toBe('text/event-stream')
  const { id } = (await first.next())!
  await emit(LIGHT, 'on')
  expect(await first.ended).toBe('cut')
  expect(Buffer.byteLength(first.text)).toBe(200)
  const again = await open(id)
  expect((await again.take(2))[1]).toMatchObject({ event: 'DEVICE_EVENT' })
  expect(valueIn(again.blocks.at(-1)!)).toBe('on')
})

test('a cut fault with 0 bytes sends only the headers of an event stream', async () => {
  const { open } = await hits({ cut: 0 })
  const reader = await open()
  expect([reader.status, await reader.ended, reader.text]).toEqual([200, 'cut', ''])
})

test.each([0, 60])('the journal names the fault that cut off a stream after %i bytes', async (cut) => {
  const { open, journal } = await hits({ cut })
  await (await open()).ended
  const findReason = async () => (await entriesOf(journal)).find(({ frame }) => frame?.event === 'STREAM_END')?.frame
  await expect.poll(findReason).toMatchObject({ data: expect.stringMatching(/^the fault F-\w+ cut off the response$/) })
})

test('a throttle fault sends an event stream slowly, completely and in order', async () => {
  const { open, emit, streams, subscriptionId } = await hits({ throttle: 4000 })
  const reader = await open()
  for (const value of ['on', 'off', 'ö']) await emit(LIGHT, value)
  expect(streams.find(subscriptionId)!.describe().bytesWaiting).toBeGreaterThan(0)
  const blocks = await reader.take(4)
  expect([blocks[0]!.data, ...blocks.slice(1).map(valueIn)]).toEqual(['welcome', 'on', 'off', 'ö'])
  expect(reader.chunks.length).toBeGreaterThan(3)
})

test('a garbage fault sends text/event-stream without any event', async () => {
  const { open, streams } = await hits({ garbage: true })
  const reader = await open()
  expect([reader.status, reader.headers['content-type']]).toEqual([200, 'text/event-stream'])
  expect(await reader.ended).toBe('end')
  expect([reader.text.length > 0, reader.blocks, streams.list()]).toEqual([true, [], []])
  expect(await (await open()).next()).toMatchObject({ data: 'welcome' })
})

test('a case contains the stream fault that ended a stream', async () => {
  const { stream, ports, app, streams } = await startEvents()
  await app.inject({ method: 'POST', url: '/_control/recordings', payload: {} })
  const { reader, subscriptionId } = await stream()
  injectStreamFault(ports, subscriptionId, { action: 'drop', ms: 0 })
  await reader.ended
  await expect.poll(() => streams.list()).toEqual([])
  const { payload } = await app.inject('/_control/recordings/current')
  const view = toCaseView(parseCase(payload))
  expect(toMermaid(view)).toContain('stream ended: the stream fault drop')
})
