import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DATA_FILE } from '../../../src/server/adapters/disk/data-file.ts'
import type { Engine } from '../../../src/server/adapters/engine.ts'
import { UnusableState } from '../../../src/server/ports/failures.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { copyOf, openEngine, worldRecord } from './directories.ts'

const PAGE = 4096
const NAMES = Array.from({ length: 40 }, (_, i) => `s${i}`)

/** Returns a directory that a server has written to many times and then closed. */
async function releaseDirectory(): Promise<string> {
  const folder = join(makeTemporaryFolder(), 'data')
  const engine = await openEngine(folder)
  const { store } = (await engine.create(worldRecord(), { records: new Map(), blobs: [] }))!
  for (const name of NAMES) await store.transaction((tx) => tx.settings.put({ name, value: 'x'.repeat(600) }))
  await engine.close()
  return folder
}

async function using<T>(folder: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEngine(folder)
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

test('a damaged page either prevents the start or leaves all data readable and writable', async () => {
  const folder = await releaseDirectory()
  const good = readFileSync(join(folder, DATA_FILE))
  let refused = 0
  for (let page = 0; page < good.length / PAGE; page++) {
    const damaged = copyOf(folder)
    const bytes = Buffer.from(good)
    for (let at = 40; at < PAGE; at += 97) bytes[page * PAGE + at]! ^= 0x15
    writeFileSync(join(damaged, DATA_FILE), bytes)
    try {
      await using(damaged, async (engine) => {
        const { store } = await engine.open('default')
        expect((await store.settings.find()).length).toBe(NAMES.length)
        for (const name of NAMES) await store.transaction((tx) => tx.settings.put({ name, value: 'new' }))
      })
    } catch (error) {
      expect(error).toBeInstanceOf(UnusableState)
      refused++
      continue
    }
    await using(damaged, async (engine) => {
      const kept = await (await engine.open('default')).store.settings.find()
      expect(kept.map(({ value }) => value)).toEqual(NAMES.map(() => 'new'))
    })
  }
  expect(refused).toBeGreaterThan(5)
})
