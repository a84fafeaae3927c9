import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Booking, isBooked, isFull, openBookingRace } from './bookings.ts'
import { type Installation, install } from './installation.ts'
import { emit, openAt, subscribe, values } from './subscriptions.ts'

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

/** Milliseconds for which the server retries a transaction before it rejects the request. */
const AT_LEAST = 5000
const isFailure = (each: Booking) => !isBooked(each) && !isFull(each)
const sridsOf = (answers: readonly Booking[]) =>
  answers
    .filter(isBooked)
    .map(({ srid }) => srid)
    .toSorted()

test('only 10 of 1,000 parallel bookings of 10 places on two instances succeed', async () => {
  const [a, b] = [await installation.startInstance(), await installation.startInstance()]
  const race = await openBookingRace(installation, a.url, 1100)
  const answers = await Promise.all(Array.from({ length: 1000 }, (_, i) => race.book(i % 2 ? a.url : b.url)))
  // On a busy machine, one request in a hundred may wait too long and be rejected. It may still have booked a place.
  const failures = answers.filter(isFailure)
  expect(failures.filter(({ status, took }) => status < 500 || took < AT_LEAST)).toEqual([])
  expect(failures.length).toBeLessThanOrEqual(10)
  while (!isFull(answers.at(-1)!)) answers.push(await race.book(a.url))
  const booked = await race.booked()
  expect(booked).toHaveLength(10)
  expect(booked).toEqual(expect.arrayContaining(sridsOf(answers)))
  expect(10 - sridsOf(answers).length).toBeLessThanOrEqual(failures.length)
})

test('no booking fails when 8 workers on two instances each book one after the other', async () => {
  const [a, b] = [await installation.startInstance(), await installation.startInstance()]
  const race = await openBookingRace(installation, a.url, 88, 30)
  const answers: Booking[] = []
  const work = async (worker: number) => {
    for (let i = 0; i < 11; i++) answers.push(await race.book(worker % 2 ? a.url : b.url))
  }
  await Promise.all(Array.from({ length: 8 }, (_, worker) => work(worker)))
  expect(answers.filter(isFailure)).toEqual([])
  expect(answers.filter(isBooked)).toHaveLength(30)
  expect(await race.booked()).toEqual(sridsOf(answers))
})

test('64 parallel events of one device are all stored and sent exactly once', async () => {
  const [a, b] = [await installation.startInstance(), await installation.startInstance()]
  const reader = await openAt(a.url, await subscribe(a.url))
  await reader.next()
  const sent = Array.from({ length: 64 }, (_, i) => i)
  const statuses = await Promise.all(sent.map((i) => emit(i % 2 ? a.url : b.url, i)))
  expect(statuses.filter((status) => status !== 200)).toEqual([])
  expect((await values(reader, 64)).map(Number).toSorted((x, y) => x - y)).toEqual(sent)
})
