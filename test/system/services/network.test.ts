import { afterAll, beforeAll, expect, test } from 'vitest'
import { isBooked, isFull, openBookingRace } from './bookings.ts'
import { type Installation, install, putSetting, readiness, send } from './installation.ts'
import { openSeparateHost, type SeparateHost } from './separate-host.ts'
import { emit, lastId, makeToken, openAt, subscribe, values } from './subscriptions.ts'
import { REJECTED_WITHIN } from './servers.ts'

let host: SeparateHost
let installation: Installation
beforeAll(async () => {
  host = openSeparateHost()
  installation = await install(host.serversAddress)
})
afterAll(async () => {
  await installation.remove()
  host.remove()
})

test('no slot is overbooked after an instance loses its network and reconnects', async () => {
  const alone = await installation.startInstance({ host })
  const other = await installation.startInstance()
  const race = await openBookingRace(installation, other.url, 200)
  const ask = (count: number, url: (i: number) => string) =>
    Promise.all(Array.from({ length: count }, (_, i) => race.book(url(i))))

  const together = await ask(4, (i) => (i % 2 ? alone.url : other.url))
  expect(together.filter(isBooked)).toHaveLength(4)

  const underway = ask(2, () => alone.url)
  host.cutOff()
  const apart = [...(await underway), ...(await ask(20, () => alone.url))]
  expect(apart.filter((each) => !isBooked(each)).every(({ status }) => status >= 500)).toBe(true)
  expect(Math.max(...apart.map(({ took }) => took))).toBeLessThan(REJECTED_WITHIN)
  expect((await putSetting(alone.url, 'alone')).status).toBeGreaterThanOrEqual(500)
  expect(await readiness(alone.url)).toBe(503)
  const meanwhile = await ask(3, () => other.url)
  expect(meanwhile.filter(isBooked)).toHaveLength(3)

  host.heal()
  await expect.poll(() => readiness(alone.url)).toBe(200)
  const healed = await ask(100, (i) => (i % 2 ? alone.url : other.url))
  const answers = [...together, ...apart, ...meanwhile, ...healed]
  // If a booking was pending when the connection broke, it may have succeeded although no response arrived.
  const unanswered = 10 - answers.filter(isBooked).length
  expect(unanswered).toBeLessThanOrEqual((await underway).filter((each) => !isBooked(each)).length)
  expect(healed.filter((each) => !isBooked(each) && !isFull(each))).toEqual([])
  const booked = await race.booked()
  expect(booked).toHaveLength(10)
  for (const { srid } of answers.filter(isBooked)) expect(booked).toContain(srid)
  expect((await send('GET', `${other.url}/_control/records/settings/alone`)).status).toBe(404)
})

test('streams resume without lost or duplicate events when their instance loses its network', async () => {
  const alone = await installation.startInstance({ host })
  const other = await installation.startInstance()
  const subscription = await subscribe(other.url)
  const first = await openAt(alone.url, subscription)
  await first.next()
  for (let i = 0; i < 5; i++) await emit(i % 2 ? alone.url : other.url, i)
  expect(await values(first, 5)).toEqual([0, 1, 2, 3, 4])

  host.cutOff()
  for (let i = 5; i < 8; i++) expect(await emit(other.url, i)).toBe(200)
  // The stream must end, because another client may have taken its slot in the meantime.
  await first.ended
  const second = await openAt(other.url, subscription, { 'last-event-id': lastId(first) })
  expect(await values(second, 3)).toEqual([5, 6, 7])

  host.heal()
  await expect.poll(() => readiness(alone.url)).toBe(200)
  for (let i = 8; i < 18; i++) expect(await emit(i % 2 ? alone.url : other.url, i)).toBe(200)
  expect(await values(second, 10)).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 16, 17])
  const late = await openAt(alone.url, subscription, { 'last-event-id': lastId(first) })
  expect(late.status).toBe(204)
})

test('the slot of a stream becomes free after its instance lost the network and reconnected', async () => {
  const alone = await installation.startInstance({ host })
  const other = await installation.startInstance()
  const token = await makeToken(other.url)
  const [one, another] = [await subscribe(other.url, token), await subscribe(other.url, token)]
  const reader = await openAt(alone.url, one)
  await reader.next()
  expect((await openAt(other.url, another)).status).toBe(409)
  host.cutOff()
  await reader.ended
  host.heal()
  await expect.poll(() => readiness(alone.url)).toBe(200)
  const opened = () => openAt(other.url, another).then(({ status }) => status)
  await expect.poll(opened, { interval: 200 }).toBe(200)
})
