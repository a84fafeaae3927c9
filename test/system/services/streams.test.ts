import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, install, send } from './installation.ts'
import { emit, lastId, makeToken, openAt, subscribe, values } from './subscriptions.ts'

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

test('a stream on one instance receives the events of all instances in order', async () => {
  const a = await installation.startInstance()
  const b = await installation.startInstance()
  const reader = await openAt(a.url, await subscribe(b.url))
  await reader.next()
  for (let i = 0; i < 20; i++) expect(await emit(i % 2 ? a.url : b.url, i)).toBe(200)
  expect(await values(reader, 20)).toEqual(Array.from({ length: 20 }, (_, i) => i))
})

test('a client resumes without lost or duplicate events when its instance is killed', async () => {
  const a = await installation.startInstance()
  const b = await installation.startInstance()
  const subscription = await subscribe(a.url)
  const first = await openAt(a.url, subscription)
  await first.next()
  for (let i = 0; i < 5; i++) await emit(b.url, i)
  expect(await values(first, 5)).toEqual([0, 1, 2, 3, 4])
  await a.stop('SIGKILL')
  for (let i = 5; i < 10; i++) await emit(b.url, i)
  const second = await openAt(b.url, subscription, { 'last-event-id': lastId(first) })
  expect(second.status).toBe(200)
  await emit(b.url, 10)
  expect(await values(second, 6)).toEqual([5, 6, 7, 8, 9, 10])
  expect(second.text).not.toContain('gap')
})

test('a client that opens its stream on another instance ends the old stream', async () => {
  const a = await installation.startInstance()
  const b = await installation.startInstance()
  const subscription = await subscribe(a.url)
  const first = await openAt(a.url, subscription)
  await first.next()
  const second = await openAt(b.url, subscription)
  await second.next()
  await first.ended
  await emit(a.url, 1)
  expect(await values(second, 1)).toEqual([1])
  const late = await openAt(a.url, subscription, { 'last-event-id': lastId(first) })
  expect(late.status).toBe(204)
})

test('50 parallel requests with the same token on two instances leave one open stream', async () => {
  const a = await installation.startInstance()
  const b = await installation.startInstance()
  const subscription = await subscribe(a.url)
  await Promise.all(Array.from({ length: 50 }, (_, i) => openAt(i % 2 ? a.url : b.url, subscription)))
  const live = async () => {
    const counts = await Promise.all([a, b].map(({ url }) => send('GET', `${url}/_control/streams`)))
    return counts.reduce((sum, { body }) => sum + Number(body['totalCount']), 0)
  }
  await expect.poll(live).toBe(1)
})

test('revoking a token on one instance ends its stream on the other instance', async () => {
  const a = await installation.startInstance()
  const b = await installation.startInstance()
  const accessToken = await makeToken(a.url)
  const reader = await openAt(a.url, await subscribe(a.url, accessToken))
  await reader.next()
  expect((await send('DELETE', `${b.url}/_control/tokens/${accessToken}`)).status).toBe(204)
  await reader.ended
})
