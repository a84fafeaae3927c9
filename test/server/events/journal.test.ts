import { expect, test } from 'vitest'
import { ALL, LIGHT, startEvents } from '../../helpers/documents/events.ts'
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
  await expect.poll(async () => (await entriesOf(journal)).length).toBe(8)
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

test('the journal contains the control frames welcome, gap and goodbye', async () => {
  const { subscribe, call, journal, ports } = await startEvents()
  const { subscriptionId, registrationUrl } = await subscribe()
  const reader = await openStream(registrationUrl, { 'last-event-id': '9-9' })
  await reader.take(2)
  await call('DELETE', `/subscriptions/${subscriptionId}`)
  await reader.ended
  const frames = (await entriesOf(journal)).filter(({ kind }) => kind === 'frame').toReversed()
  const id = `1-${ports.bus.head()}`
  expect(frames.map(({ frame, caller, operation }) => ({ ...frame, caller, operation }))).toEqual(
    [{ data: 'welcome', id }, { data: 'gap', id }, { data: 'goodbye' }].map((each) => ({
      ...each,
      subscriptionId,
      event: 'CONTROL_EVENT',
      caller: 'alice-home',
      operation: 'stream',
    })),
  )
})
