import { expect, test } from 'vitest'
import { createDiskEngine } from '../../../src/server/adapters/disk/engine.ts'
import type { Engine } from '../../../src/server/adapters/engine.ts'
import { systemClock } from '../../../src/server/adapters/node/clock.ts'
import { nodeDigests } from '../../../src/server/adapters/node/digests.ts'
import { openStoredFixtures } from '../../../src/server/seed/stored-fixtures.ts'
import { Unavailable, WorldEnded } from '../../../src/server/ports/failures.ts'
import { DEFAULT_WORLD } from '../../../src/contract/records/control/world.ts'
import { createStoredWorlds } from '../../../src/server/worlds/stored-worlds.ts'
import { smallWorld } from '../../simulation/environment/small-world.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const settings = { fixtures: smallWorld, zipCodes: { find: () => undefined }, clock: systemClock, streamRetryMs: 3000 }

async function openWorlds(directory: string, kept = Number.POSITIVE_INFINITY) {
  const engine = await createDiskEngine(directory, nodeDigests, openStoredFixtures)
  let left = kept
  const refuse = () => Promise.reject(new Unavailable('the disk is full'))
  const cut: Engine = {
    list: () => engine.list(),
    open: (...values) => engine.open(...values),
    create: async (...values) => {
      if (left-- <= 0) return refuse()
      const storage = await engine.create(...values)
      return storage && { ...storage, discard: () => (left > 0 ? storage.discard() : refuse()) }
    },
    close: () => engine.close(),
  }
  return createStoredWorlds(settings, cut, { name: DEFAULT_WORLD, seed: undefined }, undefined)
}

test('after a restart, no data of an interrupted fork remains', async () => {
  const directory = makeTemporaryFolder()
  const before = await openWorlds(directory, 2)
  await expect(before.create({ name: 'fork', from: DEFAULT_WORLD })).rejects.toThrow(Unavailable)
  await before.close()
  const after = await openWorlds(directory)
  expect(after.list().map(({ name }) => name)).toEqual([DEFAULT_WORLD])
  await after.create({ name: 'fork', from: DEFAULT_WORLD })
  await expect(after.reset('fork')).resolves.toBeDefined()
  await after.close()
})

test('a reset ends streams even if the disk is too full to delete old state', async () => {
  const worlds = await openWorlds(makeTemporaryFolder(), 2)
  const before = worlds.find(DEFAULT_WORLD)!
  await worlds.reset(DEFAULT_WORLD)
  expect(before.streams.isOver).toBe(true)
  await worlds.close()
})

test('a request for an image of a deleted world fails because the world ended', async () => {
  const worlds = await openWorlds(makeTemporaryFolder())
  const ports = (await worlds.create({ name: 'short', from: undefined }))!
  await worlds.delete('short')
  await expect(ports.blobs.get('0'.repeat(64))).rejects.toThrow(WorldEnded)
  await worlds.close()
})
