import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LmdbFile } from '../../src/adapters/disk/lmdb-file.ts'
import { type Renewal, renewDataFile } from '../../src/adapters/disk/renewal.ts'
import { Unavailable } from '../../src/ports.ts'
import { leaveDirectory, openEngine, readDirectory } from './directories.ts'

const numberOf = (folder: string) => statSync(join(folder, 'data.mdb')).ino
const leftIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('data.mdb.new'))

/** The file of a killed server, read, with what is being written anew kept back until `go`. */
async function readKilled(change: (renewal: Renewal) => Renewal = (renewal) => renewal) {
  const folder = await leaveDirectory('killed')
  const path = join(folder, 'data.mdb')
  const { written, stop } = await renewDataFile(path)
  let go = () => {}
  const gate = new Promise<void>((resolve) => {
    go = resolve
  })
  onTestFinished(go)
  const file = await LmdbFile.open(path, change({ written: gate.then(() => written), stop }))
  let found = 0
  file.read(() => found++)
  return { folder, file, found, go }
}

test('after a kill all can be read at once, and a write waits until the file has been written anew', async () => {
  const { folder, file, found, go } = await readKilled()
  const old = numberOf(folder)
  expect(found).toBeGreaterThan(400)
  const order: string[] = []
  const write = file.write([['world\0w', '{}']]).finally(() => order.push('written'))
  await new Promise(setImmediate)
  file.ping()
  expect([numberOf(folder), file.isSound]).toEqual([old, false])
  order.push('go')
  go()
  await write
  expect(order).toEqual(['go', 'written'])
  file.ping()
  expect(numberOf(folder)).not.toBe(old)
  expect(file.isSound).toBe(true)
  await file.close()
  const next = await LmdbFile.open(join(folder, 'data.mdb'))
  let again = 0
  next.read(() => again++)
  expect(again).toBe(found + 1)
  await next.close()
})

test('a file that is closed before it has been written anew is as it was, and takes no write any more', async () => {
  const { folder, file, go } = await readKilled()
  const old = numberOf(folder)
  const write = file.write([['world\0w', '{}']])
  const closing = file.close()
  go()
  await expect(write).rejects.toThrow(Unavailable)
  await closing
  expect([numberOf(folder), file.isSound, leftIn(folder)]).toEqual([old, false, []])
})

test('a file that could not be written anew goes on as it is, and the next server tries again', async () => {
  const { folder, file, go } = await readKilled(({ stop }) => ({ written: Promise.resolve(undefined), stop }))
  const old = numberOf(folder)
  go()
  await file.write([['world\0w', '{}']])
  expect([numberOf(folder), file.isSound]).toEqual([old, false])
  await file.close()
})

test('a server that has gone over to the new file leaves a folder in good order', async () => {
  const folder = await leaveDirectory('killed')
  for (const name of ['data.mdb.new-0a1b2c3d', 'data.mdb.new-0a1b2c3d-lock']) writeFileSync(join(folder, name), 'half')
  const old = numberOf(folder)
  const engine = await openEngine(folder)
  const { store } = await engine.open('default')
  expect(await store.tickets.count()).toBe(400)
  await store.transaction((tx) => tx.settings.put({ name: 'last', value: 'letter' }))
  await store.transaction((tx) => tx.settings.put({ name: 'first', value: 'word' }))
  await engine.close()
  expect(numberOf(folder)).not.toBe(old)
  expect([leftIn(folder), existsSync(join(folder, 'digest'))]).toEqual([[], true])
  expect(await readDirectory(folder)).toMatchObject({ tickets: 400, last: 'letter' })
})
