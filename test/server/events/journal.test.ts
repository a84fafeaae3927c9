import { expect, test } from 'vitest'
import { issueAccessToken, revokeAccessToken } from '../../../src/server/domain/events/access-tokens.ts'
import { injectStreamFault } from '../../../src/server/domain/events/streams.ts'
import { toLine } from '../../../src/tools/client/journal-line.ts'
import { ALL, type EventServer, HOME, LIGHT, type OpenedStream, startEvents } from '../../helpers/documents/events.ts'
import { entriesOf } from '../../helpers/journal.ts'
import { openStream } from '../../helpers/documents/stream-reader.ts'

test('the journal contains subscription calls with their operation names, and the frames of a stream', async () => {
  const { stream, emit, call, journal, ports } = await startEvents()
  const { reader, subscriptionId } = await stream(ALL, { name: 'lights' })
  await emit(LIGHT, 'on')
  await reader.next()
  await call('PUT', `/subscriptions/${subscriptionId}`, { body: { subscriptionFilters: ALL } })
  await call('GET', `/subscriptions/${subscriptionId}`)
  await call('DELETE', `/subscriptions/${subscriptionId}`)
  await reader.ended
  await expect.poll(async () => (await entriesOf(journal)).length).toBe(9)
  const entries = await entriesOf(journal)
  expect(entries.map(({ operation, caller }) => [operation, caller])).toEqual(
    expect.arrayContaining([
      ['createSubscription', 'alice-home'],
      ['stream', 'alice-home'],
      ['updateSubscription', 'alice-home'],
      ['getSubscription', 'alice-home'],
      ['deleteSubscription', 'alice-home'],
    ]),
  )
  expect(entries.find(({ frame }) => frame?.event === 'DEVICE_EVENT')?.frame).toMatchObject({
    subscriptionId,
    event: 'DEVICE_EVENT',
    id: `1-${ports.bus.head()}`,
    data: { deviceEvent: { deviceId: LIGHT, value: 'on', subscriptionName: 'lights' } },
  })
  expect(JSON.stringify(entries)).toContain('Bearer token-home')
})

test('the journal contains the control frames of a stream, and why the stream ended', async () => {
  const { subscribe, call, journal, ports } = await startEvents()
  const { subscriptionId, registrationUrl } = await subscribe()
  const reader = await openStream(registrationUrl, { 'last-event-id': '9-9' })
  await reader.take(2)
  await call('DELETE', `/subscriptions/${subscriptionId}`)
  await reader.ended
  const frames = (await entriesOf(journal)).filter(({ kind }) => kind === 'frame').toReversed()
  const id = `1-${ports.bus.head()}`
  expect(frames.map(({ frame, caller, operation }) => ({ ...frame, caller, operation }))).toEqual(
    [
      { event: 'CONTROL_EVENT', data: 'welcome', id },
      { event: 'CONTROL_EVENT', data: 'gap', id },
      { event: 'CONTROL_EVENT', data: 'goodbye' },
      { event: 'STREAM_END', data: 'the subscription was deleted' },
    ].map((each) => ({
      ...each,
      subscriptionId,
      caller: 'alice-home',
      operation: 'stream',
    })),
  )
})

test.each<[string, (server: EventServer, stream: OpenedStream, token: string) => Promise<unknown>]>([
  ['the access token expired', ({ clockControl }) => clockControl.advance(600_000)],
  ['the access token was revoked', ({ ports }, _, token) => revokeAccessToken(ports, token)],
  ['a newer connection replaced the stream', (_, { registrationUrl }) => openStream(registrationUrl)],
  ['the client disconnected', async (_, { reader }) => reader.leave()],
  [
    'the stream fault drop',
    async ({ ports }, { subscriptionId }) => injectStreamFault(ports, subscriptionId, { action: 'drop', ms: 0 }),
  ],
])('the journal shows that a stream ended because %s', async (reason, end) => {
  const server = await startEvents()
  const request = { user: 'alice-home', scopes: ['r:locations:*'], locations: [HOME], expiresIn: 600 }
  const { accessToken: token } = await issueAccessToken(server.ports, request)
  const opened = await server.stream(ALL, { token })
  await end(server, opened, token)
  const endOf = async () => (await entriesOf(server.journal)).find(({ frame }) => frame?.event === 'STREAM_END')
  await expect.poll(async () => (await endOf())?.frame?.data).toBe(reason)
  expect(toLine((await endOf())!)).toMatch(new RegExp(`stream ended: ${reason}\n$`))
})

test('the journal and the HAR contain missed events that a resumed stream receives', async () => {
  const { stream, emit, app, journal, streams } = await startEvents()
  const { reader, registrationUrl } = await stream()
  const { id } = reader.blocks[0]!
  reader.cut()
  await expect.poll(() => streams.list()).toEqual([])
  for (const value of ['on', 'off']) await emit(LIGHT, value)
  await (await openStream(registrationUrl, { 'last-event-id': id! })).take(3)
  const frames = (await entriesOf(journal)).flatMap(({ frame }) => frame ?? []).toReversed()
  const device = { event: 'DEVICE_EVENT', id: expect.stringMatching(/^2-/) }
  expect(frames.slice(-3)).toMatchObject([{ data: 'welcome' }, device, device])
  const { log } = (await app.inject('/_control/journal?format=har')).json()
  expect(log.entries.at(-1)).toHaveProperty('_eventStreamMessages.length', 3)
})

test('the journal contains a duplicated event twice and a truncated event not at all', async () => {
  const { stream, emit, ports, journal } = await startEvents()
  const { reader, subscriptionId } = await stream()
  injectStreamFault(ports, subscriptionId, { action: 'duplicate', ms: 0 })
  await emit(LIGHT, 'on')
  await reader.take(2)
  injectStreamFault(ports, subscriptionId, { action: 'truncate', ms: 0 })
  await emit(LIGHT, 'off')
  await reader.ended
  const frames = (await entriesOf(journal)).flatMap(({ frame }) => (frame?.event === 'DEVICE_EVENT' ? [frame] : []))
  expect(frames).toMatchObject(Array.from({ length: 2 }, () => ({ data: { deviceEvent: { value: 'on' } } })))
})
