import { expect, test } from 'vitest'
import { injectStreamFault, listStreams } from '../../../src/server/domain/events/streams.ts'
import type { Chaos } from '../../../src/contract/records/events/stream.ts'
import { LIGHT, startEvents } from '../../helpers/documents/events.ts'
import { openStream, valueIn } from '../../helpers/documents/stream-reader.ts'

async function disturbed(action: Chaos['action'], ms = 0, options = {}) {
  const server = await startEvents(options)
  const opened = await server.stream()
  injectStreamFault(server.ports, opened.subscriptionId, { action, ms })
  return { ...server, ...opened }
}

test('a drop fault resets the connection immediately', async () => {
  const { reader, registrationUrl, emit } = await disturbed('drop')
  expect(await reader.ended).toBe('cut')
  await emit(LIGHT, 'missed')
  const again = await openStream(registrationUrl, { 'last-event-id': reader.blocks[0]!.id! })
  expect(valueIn((await again.take(2))[1]!)).toBe('missed')
})

test('a truncate fault ends the stream in the middle of the next frame', async () => {
  const { reader, registrationUrl, emit } = await disturbed('truncate')
  await emit(LIGHT, 'on')
  expect(await reader.ended).toBe('cut')
  expect(reader.text).toMatch(/\n\nevent: DEVICE_EVENT\ndata: \{"eventTime":[^\n]+$/)
  const again = await openStream(registrationUrl, { 'last-event-id': reader.blocks[0]!.id! })
  expect(valueIn((await again.take(2))[1]!)).toBe('on')
})

test('a truncate fault with at: id ends the stream after the ID line', async () => {
  const { reader, registrationUrl, subscriptionId, emit, app } = await disturbed('stall', 0)
  const url = `/_control/streams/${subscriptionId}/chaos`
  await app.inject({ method: 'POST', url, payload: { action: 'truncate', at: 'id' } })
  await emit(LIGHT, 'on')
  expect(await reader.ended).toBe('cut')
  expect(reader.text).toMatch(/\n\nevent: DEVICE_EVENT\ndata: \{[^\n]+\}\nid: 1-\d+\n$/)
  const again = await openStream(registrationUrl, { 'last-event-id': reader.blocks[0]!.id! })
  expect(valueIn((await again.take(2))[1]!)).toBe('on')
})

test('a duplicate fault sends the next event twice with the same ID', async () => {
  const { reader, emit } = await disturbed('duplicate')
  await emit(LIGHT, 1)
  await emit(LIGHT, 2)
  const [first, second, third] = await reader.take(3)
  expect([first, second, third].map((block) => valueIn(block!))).toEqual([1, 1, 2])
  expect(first!.id).toBe(second!.id)
  expect(third!.id).not.toBe(second!.id)
})

test('a delay fault delays the next and all later events and preserves their order', async () => {
  const { reader, emit } = await disturbed('delay', 1000, { events: { heartbeatSeconds: 0.02 } })
  await emit(LIGHT, 1)
  await emit(LIGHT, 2)
  await reader.until('\n:\n')
  expect(reader.text).not.toContain('DEVICE_EVENT')
  expect((await reader.take(2)).map(valueIn)).toEqual([1, 2])
})

test('a stalled stream sends nothing, not even heartbeats, until the stall fault ends', async () => {
  const { reader, emit, streams } = await disturbed('stall', 1000, { events: { heartbeatSeconds: 0.02 } })
  const before = reader.text
  await emit(LIGHT, 1)
  expect(streams.list()[0]!.describe().bytesWaiting).toBeGreaterThan(0)
  expect(valueIn((await reader.next())!)).toBe(1)
  expect(reader.text.slice(before.length).startsWith('event: ')).toBe(true)
  await reader.until('\n\n:\n')
})

test('a goodbye fault sends a goodbye event and ends the stream', async () => {
  const { reader } = await disturbed('goodbye')
  expect(await reader.next()).toMatchObject({ event: 'CONTROL_EVENT', data: 'goodbye' })
  expect(await reader.ended).toBe('end')
})

test('a no-welcome fault omits the welcome event only the next time the stream is opened', async () => {
  const { registrationUrl, emit } = await disturbed('no-welcome')
  const second = await openStream(registrationUrl)
  await emit(LIGHT, 'on')
  expect((await second.next())?.event).toBe('DEVICE_EVENT')
  expect(second.text.startsWith('retry: 3000\nevent: DEVICE_EVENT\n')).toBe(true)
  const third = await openStream(registrationUrl)
  expect((await third.next())?.data).toBe('welcome')
})

test('live streams are listed, and a fault for a subscription without one is rejected', async () => {
  const { ports, stream, emit } = await startEvents()
  const { reader, subscriptionId } = await stream(undefined, { name: 'lights' })
  await emit(LIGHT, 'on')
  await reader.next()
  expect(listStreams(ports)).toEqual([
    {
      subscriptionId,
      name: 'lights',
      user: 'alice-home',
      generation: 1,
      openedAt: '2026-05-06T16:00:00.000Z',
      eventsSent: 1,
      bytesWaiting: 0,
    },
  ])
  expect(() => injectStreamFault(ports, 'nobody', { action: 'drop', ms: 0 })).toThrowError(
    expect.objectContaining({ code: 'not-found' }),
  )
})
