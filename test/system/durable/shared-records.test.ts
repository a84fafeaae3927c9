import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DATA_FILE } from '../../../src/server/adapters/disk/data-file.ts'
import { Database, type Row } from '../../../src/server/adapters/disk/database.ts'
import type { Stored } from '../../../src/server/adapters/record.ts'
import { readConfig } from '../../../src/server/config.ts'
import type { WorldPlan } from '../../../src/server/ports/worlds.ts'
import { DEFAULT_WORLD } from '../../../src/contract/records/control/world.ts'
import { createRuntime } from '../../../src/server/runtime.ts'
import { type CollectionName, collectionNames } from '../../../src/contract/records/collections.ts'
import { type Snapshot, SNAPSHOT_VERSION } from '../../../src/contract/records/snapshot.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { IMAGE, IMAGE_DIGEST, image } from './directories.ts'

const FIXTURES = join(import.meta.dirname, '../../../fixtures')
const NOON = Date.UTC(2030, 0, 7, 12)

async function openWorlds(folder: string) {
  const worlds = await createRuntime(readConfig({ DATA_DIR: folder }), FIXTURES)
  let isOpen = true
  const close = async () => {
    if (isOpen) await worlds.close()
    isOpen = false
  }
  onTestFinished(close)
  const make = (name: string, more: Partial<WorldPlan> = {}) => worlds.create({ name, ...more })
  const storeOf = (name: string) => worlds.find(name)!.store
  const put = (name: string, value: string) =>
    storeOf(name).transaction((tx) => tx.settings.put({ name: 'mine', value }))
  const all = async (name: string) => {
    const lists: Partial<Record<CollectionName, readonly Stored[]>> = {}
    for (const each of collectionNames) lists[each] = await storeOf(name).collection(each).find()
    return lists
  }
  return { worlds, close, make, storeOf, put, all }
}

/** Queries the data file of a directory that no server uses. */
const ask = (folder: string, sql: string): Promise<Row[]> => useFile(folder, (file) => file.read(sql))

async function useFile<T>(folder: string, work: (file: Database) => Promise<T>): Promise<T> {
  const file = new Database(join(folder, DATA_FILE))
  return work(file).finally(() => file.close())
}

const countRows = async (folder: string) =>
  Number((await ask(folder, 'SELECT count(*) AS count FROM records'))[0]!['count'])
const sizeOf = (folder: string) => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)

test('a world or fork that only has fixtures needs one row in the data file', async () => {
  const folder = makeTemporaryFolder()
  const first = await openWorlds(folder)
  await first.close()
  const before = await countRows(folder)
  const { make, close } = await openWorlds(folder)
  for (let i = 0; i < 5; i++) await make(`w${i}`, { now: NOON + i * 86_400_000 })
  await make('fork', { from: 'w0' })
  await close()
  // Five rows of the fork, and two rows of the base from which the fork was created.
  expect((await countRows(folder)) - before).toBe(5 + 2)
  expect(await ask(folder, 'SELECT count(*) AS count FROM bases')).toEqual([{ count: 1 }])
})

test('worlds and forks still have all changed, new and deleted records after a restart', async () => {
  const folder = makeTemporaryFolder()
  const before = await openWorlds(folder)
  await before.make('source', { seed: 's', now: NOON, frozen: true })
  const store = before.storeOf('source')
  const [first, second] = await store.tickets.find({ limit: 2 })
  await store.transaction(async (tx) => {
    await tx.tickets.put({ ...first!, dealerReferenceNo: 'changed' })
    await tx.tickets.delete(second!.srid)
    await tx.bookings.delete((await tx.bookings.find({ limit: 1 }))[0]!.appointmentId)
  })
  await before.put('source', 'of the source')
  await before.make('fork', { from: 'source' })
  await before.put('fork', 'of the fork')
  await before.storeOf('fork').transaction((tx) => tx.tickets.delete(first!.srid))
  await before.make('grandchild', { from: 'fork' })
  await before.put('source', 'after')
  const names = ['source', 'fork', 'grandchild', DEFAULT_WORLD]
  const known = new Map<string, object>()
  for (const name of names) known.set(name, await before.all(name))
  expect(known.get('fork')).not.toEqual(known.get('source'))
  await before.close()

  const after = await openWorlds(folder)
  for (const name of names) expect(await after.all(name)).toEqual(known.get(name))
  await after.worlds.delete('source')
  await after.put('grandchild', 'later')
  await after.worlds.reset('grandchild')
  expect(await after.all('grandchild')).toEqual(known.get('grandchild'))
  await after.worlds.reset('fork')
  expect((await after.storeOf('fork').settings.get('mine'))?.value).toBe('of the source')
  expect(await after.storeOf('fork').tickets.get(first!.srid)).toMatchObject({ dealerReferenceNo: 'changed' })
  expect(await after.storeOf('fork').tickets.get(second!.srid)).toBeUndefined()
})

test('a deleted record leaves no row, but a deleted fixture leaves a tombstone', async () => {
  const folder = makeTemporaryFolder()
  const { storeOf, close } = await openWorlds(folder)
  const store = storeOf(DEFAULT_WORLD)
  const [ticket] = await store.tickets.find({ limit: 1 })
  for (let i = 0; i < 20; i++) {
    await store.transaction((tx) => tx.settings.put({ name: `s${i}`, value: 'short' }))
    await store.transaction((tx) => tx.settings.delete(`s${i}`))
  }
  await store.transaction((tx) => tx.tickets.delete(ticket!.srid))
  await close()
  const own = `SELECT collection, key FROM records WHERE world = (SELECT id FROM worlds) ORDER BY collection`
  expect(await ask(folder, own)).toEqual([
    { collection: 'settings', key: 'secret' },
    { collection: 'tickets', key: ticket!.srid },
  ])
})

const snapshotOf = (count: number): Snapshot => ({
  schemaVersion: SNAPSHOT_VERSION,
  clock: { offsetMs: 0 },
  faults: [],
  records: {
    settings: Array.from({ length: count }, (_, i) => ({ name: `s${i}`, value: 'x'.repeat(1000) })),
    symptomImages: [image],
  },
  blobs: new Map([[IMAGE_DIGEST, Buffer.from(IMAGE).toString('base64')]]),
})

test('forks of a restored world share its records and images, even after it is deleted', async () => {
  const folder = makeTemporaryFolder()
  const before = await openWorlds(folder)
  await before.make('restored')
  await before.worlds.restore('restored', snapshotOf(300))
  for (const name of ['a', 'b']) await before.make(name, { from: 'restored' })
  await before.worlds.find('a')!.blobs.delete(IMAGE_DIGEST)
  await before.storeOf('a').transaction((tx) => tx.symptomImages.delete(image.imageId))
  await before.worlds.delete('restored')
  await before.close()
  expect(await ask(folder, 'SELECT count(*) AS count FROM images')).toEqual([{ count: 1 }])
  expect(await ask(folder, `SELECT count(*) AS count FROM records WHERE key = 's299'`)).toEqual([{ count: 1 }])

  const after = await openWorlds(folder)
  expect(await after.storeOf('b').settings.count()).toBe(301)
  expect(Buffer.from((await after.worlds.find('b')!.blobs.get(IMAGE_DIGEST))!)).toEqual(Buffer.from(IMAGE))
  expect(await after.storeOf('a').symptomImages.count()).toBe(0)
  for (const name of ['a', 'b']) await after.worlds.delete(name)
  await after.close()
  expect(await ask(folder, 'SELECT count(*) AS count FROM images')).toEqual([{ count: 0 }])
  expect(await ask(folder, `SELECT count(*) AS count FROM records WHERE key = 's299'`)).toEqual([{ count: 0 }])
})

test('the data file shrinks after worlds are deleted while the server keeps writing', async () => {
  const folder = makeTemporaryFolder()
  const { worlds, make, put, close } = await openWorlds(folder)
  const before = sizeOf(folder)
  const names = Array.from({ length: 8 }, (_, i) => `w${i}`)
  for (const name of names) {
    await make(name)
    await worlds.restore(name, snapshotOf(3000))
  }
  const grown = sizeOf(folder)
  expect(grown - before).toBeGreaterThan(20 * 2 ** 20)
  for (const name of names) {
    await worlds.delete(name)
    await put(DEFAULT_WORLD, name)
  }
  await expect.poll(() => sizeOf(folder) - before, { timeout: 20_000 }).toBeLessThan(3 * 2 ** 20)
  await put(DEFAULT_WORLD, 'last')
  await close()
  expect(await ask(folder, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
})
