import { expect, test } from 'vitest'
import { ALL, LIGHT, startEvents } from '../../helpers/documents/events.ts'
import { openStream, valueIn } from '../../helpers/documents/stream-reader.ts'

const BULK = 'x'.repeat(10_000)

test('a stalled client is disconnected at 1 MiB of waiting data and can resume', async () => {
  const { stream, subscribe, emit, streams, address } = await startEvents()
  const { reader: slow, subscriptionId, registrationUrl } = await stream(ALL)
  const other = { authorization: 'Bearer token-guest' }
  const { subscriptionId: good } = await subscribe()
  const quick = await openStream(`${address}/filters/${good}/activate`, other)
  await quick.next()
  slow.stall()

  let sent = 0
  let mostWaiting = 0
  while (streams.find(subscriptionId)) {
    await emit(LIGHT, ++sent, { data: { BULK } })
    expect(valueIn((await quick.next())!)).toBe(sent)
    mostWaiting = Math.max(mostWaiting, streams.find(subscriptionId)?.describe().bytesWaiting ?? 0)
    if (sent > 5000) throw new Error('the reader was never cut')
  }
  expect(mostWaiting).toBeGreaterThan(900_000)
  expect(mostWaiting).toBeLessThanOrEqual(1024 * 1024)
  slow.resume()
  expect(await slow.ended).toBe('cut')

  const seen = slow.blocks.filter(({ event }) => event === 'DEVICE_EVENT')
  expect(seen.map(valueIn)).toEqual(seen.map((_, i) => i + 1))
  const again = await openStream(registrationUrl, { 'last-event-id': seen.at(-1)?.id ?? slow.blocks[0]!.id! })
  const rest = (await again.take(1 + sent - seen.length)).slice(1)
  expect(rest.map(valueIn)).toEqual(rest.map((_, i) => seen.length + i + 1))
})

test('the server closes within seconds even if streams are open and a client is stalled', async () => {
  const { stream, emit, app } = await startEvents()
  const { reader: slow } = await stream(ALL)
  const { reader } = await stream([{ type: 'LOCATIONIDS', value: ['ALL'] }], { token: 'token-other' })
  slow.stall()
  for (let i = 0; i < 80; i++) await emit(LIGHT, i, { data: { BULK } })
  const started = performance.now()
  await app.close()
  // Without the limit, the server would never close. On a busy machine, closing may take several seconds.
  expect(performance.now() - started).toBeLessThan(10_000)
  expect(await reader.ended).toBe('end')
  expect(reader.text).not.toContain('goodbye')
})

test('resetting a world ends its streams', async () => {
  const { stream, worlds, emit } = await startEvents()
  const { reader, registrationUrl } = await stream()
  await worlds.reset('default')
  expect(await reader.ended).toBe('end')
  expect((await openStream(registrationUrl)).status).toBe(404)
  await expect(emit(LIGHT, 'nobody hears it')).rejects.toThrow('the world was deleted or reset during the call')
})
