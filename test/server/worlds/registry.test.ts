import { expect, onTestFinished, test } from 'vitest'
import type { Ports } from '../../../src/server/ports.ts'
import type { WorldPlan } from '../../../src/server/ports/worlds.ts'
import { DEFAULT_WORLD } from '../../../src/contract/records/control/world.ts'
import { WorldRegistry } from '../../../src/server/worlds/registry.ts'
import type { RunningWorld } from '../../../src/server/worlds/running-world.ts'
import { buildTestApp } from '../../helpers/build-test-app.ts'
import { createManualClock } from '../../helpers/manual-clock.ts'

const START = '2026-05-06T16:00:00.000Z'

/** Creates worlds that record the calls they receive. Opening a world takes one event-loop tick. */
function createNotedWorlds() {
  const clock = createManualClock(START)
  const notes: string[] = []
  const toWorld = (plan: WorldPlan): RunningWorld => ({
    plan,
    createdAt: clock.now(),
    ports: { world: plan } as unknown as Ports,
    copyState: () => Promise.reject(new Error('these worlds hold nothing')),
    close: async () => {},
    discard: async () => void notes.push(`discard ${plan.name}`),
  })
  const open = async (plan: WorldPlan): Promise<RunningWorld> => {
    notes.push(`open ${plan.name}`)
    await new Promise(setImmediate)
    return toWorld(plan)
  }
  const fromSnapshot = () => Promise.reject(new Error('no snapshot is restored here'))
  const worlds = new WorldRegistry(toWorld({ name: DEFAULT_WORLD }), { real: clock, open, fromSnapshot })
  onTestFinished(() => worlds.close())
  return { worlds, clock, notes }
}

test('only one of five parallel creations of a world with the same name succeeds', async () => {
  const { worlds, notes } = createNotedWorlds()
  const made = await Promise.all(Array.from({ length: 5 }, () => worlds.create({ name: 'a' })))
  expect(made.filter(Boolean)).toHaveLength(1)
  expect(notes).toEqual(['open a'])
})

test('after parallel resets and deletions of a world, every opened state is discarded', async () => {
  const { worlds, notes } = createNotedWorlds()
  await worlds.create({ name: 'a' })
  await Promise.allSettled([
    worlds.reset('a'),
    worlds.reset('a'),
    worlds.delete('a'),
    worlds.delete('a'),
    worlds.reset('a'),
  ])
  expect(worlds.find('a')).toBeUndefined()
  expect(notes.filter((note) => note === 'open a')).toHaveLength(3)
  expect(notes.filter((note) => note === 'discard a')).toHaveLength(3)
})

test('an expired world is deleted, and its name can be used again', async () => {
  const { worlds, clock, notes } = createNotedWorlds()
  await worlds.create({ name: 'a', expiresIn: 60 })
  clock.advance(59_999)
  expect(worlds.find('a')).toBeDefined()
  clock.advance(1)
  expect(worlds.find('a')).toBeUndefined()
  expect(worlds.list().map(({ name }) => name)).toEqual([DEFAULT_WORLD])
  expect(await worlds.delete('a')).toBe(false)
  expect(await worlds.create({ name: 'a' })).toBeDefined()
  expect(notes).toEqual(['open a', 'discard a', 'open a'])
})

test('an expired world is discarded even if no request arrives', async () => {
  const { worlds, clock, notes } = createNotedWorlds()
  await worlds.create({ name: 'a', expiresIn: 0.001 })
  clock.advance(1)
  while (!notes.includes('discard a')) await new Promise(setImmediate)
  expect(notes).toEqual(['open a', 'discard a'])
})

test('a world whose lifetime exceeds the timer limit does not end immediately', async () => {
  const { worlds } = createNotedWorlds()
  await worlds.create({ name: 'a', expiresIn: 31_536_000 })
  await new Promise(setImmediate)
  expect(worlds.find('a')).toBeDefined()
})

test('an onOpen listener receives every existing world and every world opened later', async () => {
  const { worlds } = createNotedWorlds()
  const seen: string[] = []
  worlds.onOpen(({ world }) => void seen.push(world.name))
  await worlds.create({ name: 'a' })
  await worlds.reset('a')
  expect(seen).toEqual([DEFAULT_WORLD, 'a', 'a'])
})

test('the same seed gives the same IDs even if other kinds of IDs are generated', async () => {
  const { worlds } = buildTestApp()
  const draw = async (name: string, others: number) => {
    const { random } = (await worlds.create({ name, seed: 's' }))!
    for (let i = 0; i < others; i++) await random.bytes('other', 8)
    return Buffer.from(await random.bytes('ticket', 16)).toString('hex')
  }
  expect(await draw('a', 0)).toBe(await draw('b', 7))
})
