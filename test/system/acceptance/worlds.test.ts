import { expect, test } from 'vitest'
import { type Outcome, runFlow } from './flow.ts'
import { call, useServer } from './server.ts'

const server = useServer()
const WORLDS = Number(process.env['ACCEPTANCE_WORLDS'] ?? 10)
/** Number of runs in parallel. It is small, because the worlds may be in a database on a slow machine. */
const AT_ONCE = 10
const DAY = 24 * 60 * 60 * 1000

/**
 * Creates a world whose clock is paused at a date that no other world has. The first date is in 2001, and each later
 * one follows after four months.
 */
async function makeWorld(number: number): Promise<string> {
  const name = `flow-${process.pid}-${number}`
  const now = new Date(Date.UTC(2001, 0, 10, 15) + number * 121 * DAY).toISOString()
  const made = await call(`${server.url}/_control/worlds`, 'POST', { name, now, seed: 'acceptance' })
  expect(made.status).toBe(200)
  return `${server.url}/w/${name}`
}

async function inParallel<T, R>(all: readonly T[], work: (each: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const left = all.entries()
  const run = async () => {
    for (const [i, each] of left) results[i] = await work(each)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, run))
  return results
}

test('isolated worlds with the same seed generate the same IDs although their clocks differ', async () => {
  const numbers = Array.from({ length: WORLDS }, (_, i) => i)
  const urls = await inParallel(numbers, makeWorld)
  const outcomes = await inParallel(urls, async (url) => withoutEventNumber(await runFlow(url)))
  const [first] = outcomes as [Outcome]
  for (const outcome of outcomes) expect(outcome).toEqual(first)
  expect(first).toMatchObject({
    srid: expect.stringMatching(/^\d{10}$/),
    frame: { value: 'on', id: expect.stringMatching(/^\d+$/) },
  })
  expect(first.journal.filter((entry) => entry === 'frame stream')).toHaveLength(2)

  const names = new Set<string>()
  for (const [i, url] of urls.entries()) {
    const { json } = await call(`${url}/_control/status`, 'GET')
    const { world, clock } = json as unknown as { world: string; clock: { now: string } }
    names.add(`${world} ${clock.now.slice(0, 10)}`)
    expect((await call(`${server.url}/_control/worlds/flow-${process.pid}-${i}`, 'DELETE')).status).toBe(204)
  }
  expect(names.size).toBe(WORLDS)
})

test('if several requests create a world with the same name in parallel, only one succeeds', async () => {
  const name = `race-${process.pid}`
  const make = () => call(`${server.url}/_control/worlds`, 'POST', { name })
  const statuses = (await Promise.all(Array.from({ length: 10 }, make))).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
  await call(`${server.url}/_control/worlds/${name}`, 'DELETE')
})

/** On PostgreSQL, all worlds share one sequence, so event IDs are not consecutive. */
function withoutEventNumber(outcome: Outcome): Outcome {
  const { frame } = outcome
  return { ...outcome, frame: { ...frame, id: frame.id.replace(/-\d+$/, '') } }
}
