import { expect, test } from 'vitest'
import { createMemoryStore } from '../../../../src/server/adapters/memory/store.ts'
import type { RecordSource, Stored } from '../../../../src/server/adapters/record.ts'
import type { CollectionName } from '../../../../src/contract/records/collections.ts'

function work(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

test('opening a slow collection yields to the event loop and happens once for all readers', async () => {
  let opened = 0
  function* slowly(): Generator<Stored> {
    opened++
    for (let i = 0; i < 60; i++) {
      work(1)
      yield { name: `setting-${i}`, value: String(i) }
    }
  }
  const store = createMemoryStore({ records: new Map<CollectionName, RecordSource>([['settings', slowly]]) })
  const asked = Promise.all([
    store.settings.count(),
    store.settings.get('setting-59'),
    store.settings.find({ limit: 1 }),
  ])
  let [turns, isDone] = [0, false]
  const turn = () => {
    turns++
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  expect(await asked).toMatchObject([60, { value: '59' }, [{ name: 'setting-0' }]])
  isDone = true
  expect(turns).toBeGreaterThan(1)
  expect(opened).toBe(1)
})

test('forks share the records that their store creates after the fork', async () => {
  let made = 0
  function* settings(): Generator<Stored> {
    made++
    yield { name: 'a', value: '1' }
  }
  const store = createMemoryStore({ records: new Map<CollectionName, RecordSource>([['settings', settings]]) })
  const forks = [store.share(), store.share()].map((records) => createMemoryStore({ records }))
  const first = await store.settings.get('a')
  for (const fork of forks) expect(await fork.settings.get('a')).toBe(first)
  expect(made).toBe(1)
})
