import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { CreatedSubscription } from '../../helpers/documents/events.ts'
import { checkSlots, checkRegister } from '../reliability/histories/models.ts'
import { checkStreams } from '../reliability/histories/streams.ts'
import { type BookingRace, NOON, openBookingRace } from './bookings.ts'
import {
  emit,
  follow,
  LAST_WORDS,
  newRecording,
  publish,
  randomBy,
  type Recording,
  type Site,
  usePlaces,
  useRegisters,
} from './histories/clients.ts'
import { type Scene, startStubbornly, type Problem, problemsOf } from './histories/problems.ts'
import { type Installation, install, readiness, send } from './installation.ts'
import { openLine } from './line.ts'
import { subscribe } from './subscriptions.ts'

/**
 * Set by `npm run histories -- --minutes 60 [--seed 1]`. In CI, each failure occurs once, in an order that depends on
 * the seed.
 */
const MINUTES = Number(process.env['HISTORIES_MINUTES'] ?? 0)
const SEED = Number(process.env['HISTORIES_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const PLACES = 6
const CUSTOMERS = 5000
/**
 * Duration of a failure in milliseconds. In long runs, it exceeds the 5 seconds after which an instance is treated as
 * dead.
 */
const LASTS = MINUTES > 0 ? 8000 : 1500

/** Maximum milliseconds until everything works again, even on a busy machine. */
const LONG = 90_000

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

async function openScene(random: () => number): Promise<Scene> {
  const line = await openLine(installation.postgres.port)
  onTestFinished(() => line.close())
  const instances = await Promise.all([
    startStubbornly(installation, { postgres: line.port }),
    startStubbornly(installation),
    startStubbornly(installation),
  ])
  return { installation, instances, line, random }
}

/** Sets the clock to a time before the slot. Repeats the request, because slow instances may have rejected it. */
async function openRace(url: string): Promise<BookingRace> {
  for (;;) {
    const race = await openBookingRace(installation, url, CUSTOMERS, PLACES)
    const { body } = await send('GET', `${url}/_control/clock`)
    if (body['frozen'] === true && body['now'] === NOON) return race
  }
}

/** Repeats the request, because the servers may still be slow or unavailable. */
async function subscribeStubbornly(url: string): Promise<CreatedSubscription> {
  for (;;) {
    const subscription = await subscribe(url)
    if ('registrationUrl' in subscription) return subscription
    await pause(200)
  }
}

function shuffled(problems: readonly Problem[], random: () => number): Problem[] {
  return problems
    .map((problem) => ({ problem, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ problem }) => problem)
}

/** Waits until every instance is ready and every type of client receives responses. */
async function untilWell({ instances }: Scene, recording: Recording): Promise<void> {
  const { answers } = recording
  for (const { url } of instances) await expect.poll(() => readiness(url).catch(() => 0), { timeout: LONG }).toBe(200)
  const before = { ...answers }
  for (const kind of ['register', 'places', 'event'] as const) {
    const because = { timeout: LONG, message: `${kind} ${JSON.stringify(recording.refused)}` }
    await expect.poll(() => answers[kind], because).toBeGreaterThan(before[kind] + 5)
  }
}

async function run(scene: Scene, seed: number): Promise<{ recording: Recording; kept: string[] }> {
  const { instances, random } = scene
  const race = await openRace(instances[1]!.url)
  const customers = Array.from({ length: CUSTOMERS }, (_, i) => String(9_300_000_000 + i))
  const recording = newRecording()
  const over = new AbortController()
  let clients = 0
  const siteOf = (): Site => ({
    get urls() {
      return instances.map(({ url }) => url)
    },
    random: randomBy(seed + ++clients),
    over: over.signal,
    recording,
  })
  const following = Promise.all(
    [0, 1, 2].map(async () => follow(siteOf(), await subscribeStubbornly(instances[1]!.url))),
  )
  const working = Promise.all([
    ...[0, 1, 2].map((i) => useRegisters(siteOf(), `register ${i}`)),
    ...[0, 1].map((i) => usePlaces(siteOf(), `places ${i}`, customers)),
    ...[0, 1].map((i) => publish(siteOf(), i * 1_000_000)),
  ])
  for (const problem of shuffled(problemsOf(scene), random)) {
    await untilWell(scene, recording)
    process.stdout.write(`${problem.name}\n`)
    await problem.begin()
    await pause(200 + random() * LASTS)
    await problem.end()
  }
  await untilWell(scene, recording)
  over.abort()
  await working
  const hear = new AbortController()
  const said = (async () => {
    const site = { ...siteOf(), recording: newRecording() }
    for (let value = LAST_WORDS; !hear.signal.aborted; value++) {
      await emit(site, value)
      await pause(200)
    }
  })()
  await following
  hear.abort()
  await said
  return { recording, kept: await race.booked() }
}

test(
  `client histories stay consistent during every injected failure (seed ${SEED})`,
  async () => {
    const random = randomBy(SEED)
    const scene = await openScene(random)
    const started = performance.now()
    let rounds = 0
    do {
      const { recording, kept } = await run(scene, SEED + rounds * 100)
      const { registers, places, booked, cancelled, emissions, streams, answers, surprises } = recording
      rounds++
      process.stdout.write(`seed ${SEED}, round ${rounds}: ${JSON.stringify(answers)} answers\n`)
      const findings = [
        ...surprises,
        ...[...registers.values()].flatMap(checkRegister),
        ...checkSlots(places, PLACES, {
          kept,
          booked: [...booked],
          cancelled: [...cancelled],
        }),
        ...checkStreams(emissions, streams),
      ]
      expect(findings).toEqual([])
    } while (performance.now() - started < MINUTES * 60_000)
  },
  MINUTES * 60_000 + 300_000,
)
