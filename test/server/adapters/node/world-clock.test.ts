import { expect, onTestFinished, test } from 'vitest'
import { createWorldClock } from '../../../../src/server/adapters/node/world-clock.ts'
import { createManualClock } from '../../../helpers/manual-clock.ts'

const START = Date.parse('2026-05-06T16:00:00Z')
const HOUR = 60 * 60 * 1000

function setUp() {
  const real = createManualClock('2026-05-06T16:00:00Z')
  const clock = createWorldClock(real)
  onTestFinished(() => clock.close())
  return { real, clock }
}

test('the world clock follows real time and keeps the offset after it was advanced', async () => {
  const { real, clock } = setUp()
  real.advance(5)
  expect(clock.now()).toBe(START + 5)
  await clock.advance(HOUR)
  real.advance(5)
  expect(clock.read()).toMatchObject({ now: START + HOUR + 10, frozen: false, offsetMs: HOUR })
})

test('a frozen world clock stops until it is advanced or resumed', async () => {
  const { real, clock } = setUp()
  await clock.set({ frozen: true })
  real.advance(HOUR)
  expect(clock.now()).toBe(START)
  await clock.advance(7)
  expect(clock.read()).toMatchObject({ now: START + 7, frozen: true, offsetMs: 0 })
  await clock.set({ frozen: false })
  real.advance(1)
  expect(clock.now()).toBe(START + 8)
})

test('the world clock can be set to an earlier time and reset to real time', async () => {
  const { clock } = setUp()
  expect((await clock.set({ now: START - HOUR })).offsetMs).toBe(-HOUR)
  expect(await clock.reset()).toMatchObject({ now: START, frozen: false, offsetMs: 0 })
})

test('the offset is exact even if real time passes while the clock is set', async () => {
  let ticks = START
  const clock = createWorldClock({ now: () => ticks++ }, { now: START, realNow: START })
  onTestFinished(() => clock.close())
  expect(clock.read().offsetMs).toBe(0)
  clock.schedule(START + 100, async () => {
    ticks += 1000
  })
  expect((await clock.advance(HOUR)).offsetMs).toBe(HOUR)
  expect((await clock.reset()).offsetMs).toBe(0)
})

test('advancing the clock runs due tasks in order, each at its scheduled time', async () => {
  const { clock } = setUp()
  const done: string[] = []
  const note = (name: string) => async () => {
    await Promise.resolve()
    done.push(`${name} +${clock.now() - START}`)
  }
  clock.schedule(START + 300, note('c'))
  clock.schedule(START + 100, note('a'))
  clock.schedule(START + 100, note('b'))
  const cancel = clock.schedule(START + 200, note('cancelled'))
  clock.schedule(START + HOUR + 1, note('later'))
  cancel()
  await clock.advance(HOUR)
  expect(done).toEqual(['a +100', 'b +100', 'c +300'])
  expect(clock.now()).toBe(START + HOUR)
})

test('a due task can schedule another task that runs within the same advance', async () => {
  const { clock } = setUp()
  const done: number[] = []
  clock.schedule(START + 10, () => {
    clock.schedule(START + 20, () => {
      done.push(clock.now())
    })
  })
  await clock.advance(30)
  expect(done).toEqual([START + 20])
})
