import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Booking, isBooked, isFull, openBookingRace } from './bookings.ts'
import { type Installation, install, putSetting, readiness, send } from './installation.ts'
import { emit, lastId, makeToken, openAt, subscribe, values } from './subscriptions.ts'

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

test('a suspended instance ends streams that were taken over and overwrites no newer data', async () => {
  const still = await installation.startInstance()
  const other = await installation.startInstance()
  const race = await openBookingRace(installation, other.url, 100)
  const token = await makeToken(other.url)
  const [one, another] = [await subscribe(other.url, token), await subscribe(other.url, token)]
  const first = await openAt(still.url, one)
  await first.next()
  expect(await emit(still.url, 1)).toBe(200)
  expect(await values(first, 1)).toEqual([1])
  expect((await openAt(other.url, another)).status).toBe(409)

  // Some requests are pending when the instance is suspended. Others arrive afterwards.
  const underway = Array.from({ length: 8 }, () => race.book(still.url))
  await Promise.race(underway)
  still.process.kill('SIGSTOP')
  const waiting = Array.from({ length: 8 }, () => race.book(still.url))
  const meanwhile = await Promise.all(Array.from({ length: 20 }, () => race.book(other.url)))
  // The suspended instance holds its locks until the database ends its transaction. Until then, the server may reject
  // writes.
  await expect.poll(() => putSetting(other.url, 'mark', 'new').then(({ status }) => status)).toBe(200)
  await expect.poll(() => emit(other.url, 2)).toBe(200)

  const opened = () => openAt(other.url, another).then(({ status }) => status)
  await expect.poll(opened, { interval: 500 }).toBe(200)
  still.process.kill('SIGCONT')

  await first.ended
  const late = await Promise.all([...underway, ...waiting])
  // The server also rejects requests that take longer than allowed.
  const isAnswer = (each: Booking) => isBooked(each) || isFull(each) || each.status === 408 || each.status >= 500
  expect(late.every(isAnswer)).toBe(true)
  const answers = [...late, ...meanwhile]
  await expect.poll(() => readiness(still.url)).toBe(200)
  answers.push(...(await Promise.all(Array.from({ length: 20 }, () => race.book(still.url)))))
  const booked = await race.booked()
  expect(booked).toHaveLength(10)
  for (const { srid } of answers.filter(isBooked)) expect(booked).toContain(srid)
  const { body } = await send('GET', `${still.url}/_control/records/settings/mark`)
  expect(body).toEqual({ name: 'mark', value: 'new' })
  expect((await openAt(still.url, one, { 'last-event-id': lastId(first) })).status).toBe(409)
})
