import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { judgePlaces, judgeRegister } from '../reliability/histories/models.ts'
import { judgeStreams } from '../reliability/histories/streams.ts'
import { openBookingRace } from './bookings.ts'
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
import { type Scene, type Trouble, troublesOf } from './histories/troubles.ts'
import { type Installation, install, readiness } from './installation.ts'
import { openLine } from './line.ts'
import { subscribe } from './subscriptions.ts'

/** `npm run histories -- --minutes 60 [--seed 1]` gives these; in CI all troubles come once, in an order of the seed. */
const MINUTES = Number(process.env['HISTORIES_MINUTES'] ?? 0)
const SEED = Number(process.env['HISTORIES_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const PLACES = 6
const CUSTOMERS = 5000
/** Milliseconds that a trouble lasts; in long runs more than the 10 seconds after which an instance counts as gone. */
const LASTS = MINUTES > 0 ? 12_000 : 1500

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

async function openScene(random: () => number): Promise<Scene> {
  const [postgres, redis] = await Promise.all([openLine(installation.postgres.port), openLine(installation.redis.port)])
  onTestFinished(() => {
    for (const line of [postgres, redis]) line.close()
  })
  const behindLines = installation.startInstance({ postgres: postgres.port, redis: redis.port })
  const instances = await Promise.all([behindLines, installation.startInstance(), installation.startInstance()])
  return { installation, instances, lines: { postgres, redis }, random }
}

/** In an order of the seed. */
function shuffled(troubles: readonly Trouble[], random: () => number): Trouble[] {
  return troubles
    .map((trouble) => ({ trouble, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ trouble }) => trouble)
}

/** When every instance serves again and every kind of client gets answers. */
async function untilWell({ instances }: Scene, { answers }: Recording): Promise<void> {
  for (const { url } of instances) await expect.poll(() => readiness(url).catch(() => 0)).toBe(200)
  const before = { ...answers }
  for (const kind of ['register', 'places', 'event'] as const) {
    await expect.poll(() => answers[kind], { message: kind }).toBeGreaterThan(before[kind] + 5)
  }
}

async function run(scene: Scene, seed: number): Promise<{ recording: Recording; kept: string[] }> {
  const { instances, random } = scene
  const race = await openBookingRace(installation, instances[1]!.url, CUSTOMERS, PLACES)
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
  const following = Promise.all([0, 1, 2].map(async () => follow(siteOf(), await subscribe(instances[1]!.url))))
  const working = Promise.all([
    ...[0, 1, 2].map((i) => useRegisters(siteOf(), `register ${i}`)),
    ...[0, 1].map((i) => usePlaces(siteOf(), `places ${i}`, customers)),
    ...[0, 1].map((i) => publish(siteOf(), i * 1_000_000)),
  ])
  for (const trouble of shuffled(troublesOf(scene), random)) {
    await untilWell(scene, recording)
    await trouble.begin()
    await pause(200 + random() * LASTS)
    await trouble.end()
  }
  await untilWell(scene, recording)
  over.abort()
  await working
  const hear = new AbortController()
  const said = (async () => {
    for (let value = LAST_WORDS; !hear.signal.aborted; value++) {
      await emit(siteOf(), value)
      await pause(200)
    }
  })()
  await following
  hear.abort()
  await said
  return { recording, kept: await race.booked() }
}

test(
  `histories of what clients called and saw are right amid all troubles; seed ${SEED}`,
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
        ...[...registers.values()].flatMap(judgeRegister),
        ...judgePlaces(places, PLACES, { kept, booked: [...booked], cancelled: [...cancelled] }),
        ...judgeStreams(emissions, streams),
      ]
      expect(findings).toEqual([])
    } while (performance.now() - started < MINUTES * 60_000)
  },
  MINUTES * 60_000 + 300_000,
)
