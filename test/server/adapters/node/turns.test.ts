import { setImmediate as nextTurn } from 'node:timers/promises'
import { MessageChannel } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { createTurns } from '../../../../src/server/adapters/node/turns.ts'

const SLICE = 15

/** Each step of a work takes one millisecond of this clock, and nothing else takes any. */
function prepareWork(afterStep = () => {}) {
  let ms = 0
  const turns = createTurns(() => ms)
  const steps: number[] = []
  async function work(name: number, count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      await turns.give()
      ms++
      steps.push(name)
      afterStep()
    }
  }
  function useUp(): void {
    void turns.give()
    ms += SLICE
  }
  return { work, steps, now: () => ms, useUp }
}

/** Is called while the event loop polls, as whatever a request brings. */
function preparePolls() {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  const waiting: (() => void)[] = []
  port1.on('message', () => waiting.shift()!())
  return (call: () => void) => {
    waiting.push(call)
    port2.postMessage('')
  }
}

test('21 who asks waits for one slice, however many work long and whenever they begin', async () => {
  // What is asked while a work begins is heard when the loop polls next.
  const [ask, begin] = [preparePolls(), preparePolls()]
  const waits: number[] = []
  const { work, steps, now } = prepareWork(() => {
    const asked = now()
    ask(() => waits.push(now() - asked))
  })
  const all: Promise<void>[] = []
  for (let i = 0; i < 60; i++) {
    begin(() => all.push(work(i, [3, 40, 7, 100][i % 4]!)))
    for (let turn = 0; turn < i % 5; turn++) await nextTurn()
  }
  await expect.poll(() => waits.length).toBe(15 * (3 + 40 + 7 + 100))
  expect(steps.length).toBe(waits.length)
  await Promise.all(all)
  // A step takes a millisecond before it asks.
  expect(Math.max(...waits)).toBe(SLICE - 1)
})

test('21 the event loop polls twice between two slices, so to connect and to ask take no longer', async () => {
  const poll = preparePolls()
  const waits: number[] = []
  const { work, now, useUp } = prepareWork(() => {
    const asked = now()
    poll(() => setImmediate(() => poll(() => waits.push(now() - asked))))
  })
  useUp()
  await Promise.all([0, 1, 2].map((i) => work(i, 2 * SLICE)))
  await expect.poll(() => waits.length).toBe(6 * SLICE)
  expect(Math.max(...waits)).toBe(SLICE - 1)
})

test('21 all who work long have their slices in their order', async () => {
  const { work, steps, useUp } = prepareWork()
  useUp()
  await Promise.all([0, 1, 2, 3].map((i) => work(i, 2 * SLICE)))
  const runs = Array.from({ length: 8 }, (_, i) => Array<number>(SLICE).fill(i % 4))
  expect(steps).toEqual(runs.flat())
})

test('21 of all who wait for their turn one goes on in a turn of the event loop', async () => {
  const { work, steps, useUp } = prepareWork()
  useUp()
  const all = Promise.all(Array.from({ length: 10 }, (_, i) => work(i, 1)))
  let turns = 0
  while (steps.length < 10) {
    const before = steps.length
    await nextTurn()
    turns++
    expect(steps.length - before).toBeLessThanOrEqual(1)
  }
  await all
  expect(turns).toBeGreaterThanOrEqual(10)
})

test('whoever works while nobody else does waits only when his slice is used up', async () => {
  let ms = 0
  const turns = createTurns(() => ms)
  for (let request = 0; request < 3; request++) {
    expect(turns.give()).toBeUndefined()
    ms += SLICE - 1
    expect(turns.give()).toBeUndefined()
    ms++
    expect(turns.give()).toBeInstanceOf(Promise)
    for (let turn = 0; turn < 8; turn++) await nextTurn()
  }
})
