import { expect, test } from 'vitest'
import { ALL, LIGHT, startEvents } from '../helpers/events.ts'

test('the journal holds the operations by their names, the frames of a stream, and none of its keys', async () => {
  const { stream, emit, call, journal, ports } = await startEvents()
  const { reader, subscriptionId, registrationUrl } = await stream(ALL, { name: 'lights' })
  await emit(LIGHT, 'on')
  await reader.next()
  await call('PUT', `/subscriptions/${subscriptionId}`, { body: { subscriptionFilters: ALL } })
  await call('GET', `/subscriptions/${subscriptionId}`)
  await call('DELETE', `/subscriptions/${subscriptionId}`)
  await reader.ended
  await expect.poll(() => [...journal.entries()].length).toBe(6)
  const entries = [...journal.entries()]
  expect(entries.map(({ operation, caller }) => [operation, caller])).toEqual(
    expect.arrayContaining([
      ['createSubscription', 'alice-home'],
      ['stream', 'alice-home'],
      ['updateSubscription', 'alice-home'],
      ['getSubscription', 'alice-home'],
      ['deleteSubscription', 'alice-home'],
    ]),
  )
  expect(entries.find(({ kind }) => kind === 'frame')?.frame).toMatchObject({
    subscriptionId,
    event: 'DEVICE_EVENT',
    id: `1-${ports.bus.head()}`,
    data: { deviceEvent: { deviceId: LIGHT, value: 'on', subscriptionName: 'lights' } },
  })
  const key = /key=(\w+)/.exec(registrationUrl)![1]!
  const text = JSON.stringify(entries)
  expect(text).not.toContain('token-home')
  expect(text).not.toContain(key)
})
