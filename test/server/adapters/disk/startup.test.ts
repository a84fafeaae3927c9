import { expect, onTestFinished, test } from 'vitest'
import { createDiskEngine } from '../../../../src/server/adapters/disk/engine.ts'
import { nodeDigests } from '../../../../src/server/adapters/node/digests.ts'
import type { Stored } from '../../../../src/server/adapters/record.ts'
import { openStoredFixtures } from '../../../../src/server/seed/stored-fixtures.ts'
import { makeTemporaryFolder } from '../../../helpers/temporary-folder.ts'

test('creating a world on disk from slow records yields to the event loop', async () => {
  const engine = await createDiskEngine(makeTemporaryFolder(), nodeDigests, openStoredFixtures)
  onTestFinished(() => engine.close())
  let [turn, isDone] = [0, false]
  const next = () => {
    turn++
    if (!isDone) setImmediate(next)
  }
  const begun: Set<number>[] = []
  function* slowly(): Generator<Stored> {
    const turns = new Set<number>()
    begun.push(turns)
    for (let i = 0; i < 60; i++) {
      const until = performance.now() + 1
      while (performance.now() < until);
      turns.add(turn)
      yield { name: `setting-${i}`, value: String(i) }
    }
  }
  setImmediate(next)
  const record = { plan: { name: 'default' }, seed: undefined, createdAt: 0, clock: { offsetMs: 0 } }
  const world = await engine.create(record, { records: new Map([['settings', slowly]]), blobs: [] })
  expect(await world!.store.settings.count()).toBe(60)
  isDone = true
  expect(Math.min(...begun.map(({ size }) => size))).toBeGreaterThan(1)
})
