import { expect, onTestFinished, test } from 'vitest'
import { createDiskEngine } from '../../../src/server/adapters/disk/engine.ts'
import type { Engine } from '../../../src/server/adapters/engine.ts'
import { nodeDigests } from '../../../src/server/adapters/node/digests.ts'
import { openStoredFixtures } from '../../../src/server/seed/stored-fixtures.ts'
import { Unavailable, WorldEnded } from '../../../src/server/ports/failures.ts'
import { DEFAULT_WORLD } from '../../../src/contract/records/control/world.ts'
import { createStoredWorlds } from '../../../src/server/worlds/stored-worlds.ts'
import { smallWorld } from '../../simulation/environment/small-world.ts'
import { createManualClock } from '../../helpers/manual-clock.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const HOUR = 3_600_000

/** Opens a shared storage and several instances. The instances learn about each other only by reading this storage. */
async function share() {
  const clock = createManualClock('2026-05-06T16:00:00.000Z')
  const engine = await createDiskEngine(makeTemporaryFolder(), nodeDigests, openStoredFixtures)
  onTestFinished(() => engine.close())
  const settings = {
    fixtures: smallWorld,
    zipCodes: { find: () => undefined },
    clock,
    streamRetryMs: 3000,
  }
  const others = { settled: async () => {}, subscribe: async () => {} }
  /** With this engine, opening a world takes 5 seconds. */
  const slow = (on: Engine) =>
    varied(on, {
      open: async (...values) => {
        const storage = await on.open(...values)
        clock.advance(5000)
        return storage
      },
      create: async (...values) => {
        const storage = await on.create(...values)
        if (storage) clock.advance(5000)
        return storage
      },
    })
  const begin = (on: Engine = engine) =>
    createStoredWorlds(settings, { ...slow(on), others, close: async () => {} }, { name: DEFAULT_WORLD }, undefined)
  const names = async () => (await engine.list()).map(({ plan }) => plan.name)
  return { clock, engine, begin, names }
}

const varied = (engine: Engine, change: Partial<Engine>): Engine => ({
  list: () => engine.list(),
  open: (...values) => engine.open(...values),
  create: (...values) => engine.create(...values),
  close: () => engine.close(),
  ...change,
})

test('a frozen world clock has the same time on all instances', async () => {
  const { clock, begin } = await share()
  const [a, b] = [await begin(), await begin()]
  for (const worlds of [a, b]) expect(worlds.find(DEFAULT_WORLD)!.clock.now()).toBe(clock.now())
  await a.create({ name: 'early', now: clock.now() - HOUR })
  const there = (await b.look('early'))!
  expect(there.clock.now()).toBe(a.find('early')!.clock.now())
  expect(b.list()).toEqual(a.list())
})

test('a reset does not restore a world that another instance has deleted', async () => {
  const { begin, names } = await share()
  const [a, b] = [await begin(), await begin()]
  for (const plan of [{ name: 'plain' }, { name: 'fork', from: DEFAULT_WORLD }]) {
    await a.create(plan)
    await b.look(plan.name)
    expect(await a.delete(plan.name)).toBe(true)
    await expect(b.reset(plan.name)).rejects.toThrow(WorldEnded)
  }
  expect(await names()).toEqual([DEFAULT_WORLD])
})

test('a world can be deleted after another instance has reset it', async () => {
  const { begin, names } = await share()
  const [a, b] = [await begin(), await begin()]
  for (const plan of [{ name: 'plain' }, { name: 'fork', from: DEFAULT_WORLD }]) {
    await a.create(plan)
    await b.look(plan.name)
    await b.reset(plan.name)
    expect(await a.delete(plan.name)).toBe(true)
  }
  expect(await names()).toEqual([DEFAULT_WORLD])
})

test('resetting an old world does not replace a new world with the same name', async () => {
  const { begin, engine } = await share()
  const [a, b] = [await begin(), await begin()]
  await a.create({ name: 'a' })
  await b.look('a')
  await a.delete('a')
  await a.create({ name: 'a', seed: 'new' })
  await expect(b.reset('a')).rejects.toThrow(WorldEnded)
  expect((await engine.list()).find(({ plan }) => plan.name === 'a')?.seed).toBe('new')
})

test('a deleted fork no longer exists, even if its base cannot be removed yet', async () => {
  const { begin, engine, names, clock } = await share()
  let isAway = false
  const open: Engine['open'] = (...values) =>
    isAway ? Promise.reject(new Unavailable('the database is away')) : engine.open(...values)
  const worlds = await begin(varied(engine, { open }))
  await worlds.create({ name: 'fork', from: DEFAULT_WORLD })
  isAway = true
  expect(await worlds.delete('fork')).toBe(true)
  expect(worlds.find('fork')).toBeUndefined()
  clock.advance(HOUR)
  await begin()
  expect(await names()).toEqual([DEFAULT_WORLD])
})

test('the base of a fork that was not created is removed only after an hour', async () => {
  const { begin, engine, names, clock } = await share()
  let left = 1
  const create: Engine['create'] = (...values) => {
    if (left-- > 0) return engine.create(...values)
    throw new Unavailable('the database is away')
  }
  await begin()
  const cutOff = await begin(varied(engine, { create }))
  await expect(cutOff.create({ name: 'fork', from: DEFAULT_WORLD })).rejects.toThrow(Unavailable)
  await begin()
  expect(await names()).toEqual([DEFAULT_WORLD, expect.stringContaining('fork')])
  clock.advance(HOUR)
  await begin()
  expect(await names()).toEqual([DEFAULT_WORLD])
})
