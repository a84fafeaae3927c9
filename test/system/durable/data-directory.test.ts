import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Engine } from '../../../src/server/adapters/engine.ts'
import { DATA_FILE, openDataFile, refusal } from '../../../src/server/adapters/disk/data-file.ts'
import { readConfig } from '../../../src/server/config.ts'
import { UnusableState, WorldEnded } from '../../../src/server/ports/failures.ts'
import { startServer } from '../../../src/server/server.ts'
import { expectIndependentFork } from '../../helpers/forks.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import {
  copyOf,
  edit,
  IMAGE,
  IMAGE_DIGEST,
  type Directories,
  releaseDirectories,
  openEngine,
  readDirectory,
  TICKETS,
  worldRecord,
} from './directories.ts'

const whole = { tickets: TICKETS, last: 'word', image: Buffer.from(IMAGE) }

const parent = mkdtempSync(join(tmpdir(), 'vendor-cloud-test-'))
let directories: Directories
beforeAll(async () => {
  directories = await releaseDirectories(parent)
})
afterAll(() => rmSync(parent, { recursive: true }))
const releaseDirectory = (how: keyof Directories) => copyOf(directories[how])

test.each(['stopped', 'killed'] as const)(
  'all records and images are still there after the server was %s',
  async (how) => {
    expect(await readDirectory(releaseDirectory(how))).toEqual(whole)
  },
)

test('a flipped bit in the data file is detected or harmless after a clean stop', async () => {
  const folder = releaseDirectory('stopped')
  const file = join(folder, DATA_FILE)
  const good = readFileSync(file)
  let refused = 0
  for (let at = 7; at < good.length; at += Math.floor(good.length / 25)) {
    const bad = Buffer.from(good)
    bad[at]! ^= 1 << (at % 8)
    writeFileSync(file, bad)
    refused += await countRefusal(folder)
  }
  expect(refused).toBeGreaterThan(12)
})

test.each(['stopped', 'killed'] as const)(
  'after the server was %s, garbage in a data file page is detected or harmless',
  async (how) => {
    const folder = releaseDirectory(how)
    const good = readFileSync(join(folder, DATA_FILE))
    let refused = 0
    for (let page = 0; page < good.length / 4096; page++) {
      const damaged = copyOf(folder)
      const bad = Buffer.from(good)
      for (let i = 0; i < 4096; i++) bad[page * 4096 + i] = (i * 31 + page * 7) % 256
      writeFileSync(join(damaged, DATA_FILE), bad)
      refused += await countRefusal(damaged)
    }
    expect(refused).toBeGreaterThan(12)
  },
)

async function countRefusal(folder: string): Promise<number> {
  const outcome = await readDirectory(folder).catch((error: unknown) => error)
  if (outcome instanceof Error) {
    expect(outcome).toBeInstanceOf(UnusableState)
    expect(outcome.message).not.toContain('\n')
  } else expect(outcome).toEqual(whole)
  return Number(outcome instanceof Error)
}

test('a flipped bit in the log is detected unless it is in the last write', async () => {
  const folder = releaseDirectory('stopped')
  const engine = await openEngine(folder)
  const { store } = await engine.open('default')
  for (let i = 0; i < 8; i++) await store.transaction((tx) => tx.settings.put({ name: `${i}`, value: 'word' }))
  const killed = copyOf(folder)
  await engine.close()
  const log = join(killed, `${DATA_FILE}-wal`)
  const good = readFileSync(log)
  const lastFrame = good.length - 4096 - 24
  let refused = 0
  for (let at = 3; at < good.length; at += Math.floor(good.length / 60)) {
    const bad = Buffer.from(good)
    bad[at]! ^= 1 << (at % 8)
    const damaged = copyOf(killed)
    writeFileSync(join(damaged, `${DATA_FILE}-wal`), bad)
    const outcome = await openEngine(damaged).catch((error: unknown) => error)
    if (outcome instanceof UnusableState) refused++
    else {
      expect(at).toBeGreaterThan(lastFrame)
      await (outcome as Engine).close()
    }
  }
  expect(refused).toBeGreaterThan(50)
  writeFileSync(log, Buffer.concat([Buffer.from('no log'), good.subarray(6)]))
  await expect(openEngine(killed)).rejects.toThrow(/-wal is damaged: .* cannot be read. To continue without them, copy/)
  edit(killed, 'PRAGMA user_version')
  await (await openEngine(killed)).close()
})

test('a data file that is truncated or not a database is rejected with the reason', async () => {
  const folder = releaseDirectory('stopped')
  const file = join(folder, DATA_FILE)
  writeFileSync(file, readFileSync(file).subarray(0, statSync(file).size / 2))
  await expect(readDirectory(folder)).rejects.toThrow(/is damaged: /)
  writeFileSync(file, 'Dear all, this is a letter and not a database. '.repeat(100))
  await expect(readDirectory(folder)).rejects.toThrow(/is not a database of vendor-cloud/)
})

test.each([
  [
    'a changed record',
    `UPDATE records SET body = replace(body, 'word', 'ward') WHERE key = 'last'`,
    /is damaged: a row does not match its checksum/,
  ],
  ['a changed world', `UPDATE worlds SET body = replace(body, 'default', 'defoult')`, /does not match its checksum/],
  ['a changed image', `UPDATE images SET bytes = x'00'`, /is damaged: the image .* does not match its checksum/],
  ['a deleted image', 'DELETE FROM images', /image .* is missing/],
])('the start is rejected because of %s in the data file', async (_, sql, reason) => {
  const folder = releaseDirectory('stopped')
  edit(folder, sql)
  await expect(readDirectory(folder)).rejects.toThrow(reason)
})

test('a start removes leftover rows of deleted worlds and images that no record references', async () => {
  const folder = releaseDirectory('stopped')
  edit(folder, `INSERT INTO images VALUES (1, 'f', x'00'), (7, 'f', x'00')`)
  edit(folder, `INSERT INTO records SELECT 7, collection, key, body, checksum FROM records`)
  expect(await readDirectory(folder)).toEqual(whole)
  const file = await openDataFile(folder)
  expect(await file.read('SELECT world, digest FROM images')).toEqual([{ world: 1, digest: IMAGE_DIGEST }])
  // World 1 is the base from which world 2 was created.
  expect(await file.read('SELECT DISTINCT world FROM records')).toEqual([{ world: 1 }, { world: 2 }])
  await file.close()
})

test.each(['/proc/vendor-cloud/data', join(import.meta.filename, 'data')])(
  'a data directory that cannot be created is rejected with the reason: %s',
  async (folder) => {
    await expect(openEngine(folder)).rejects.toThrow(
      /^the data directory \/.* cannot be made: (no such file or directory \(ENOENT\)|not a directory \(ENOTDIR\))$/,
    )
  },
)

test.each(['attempt to write a readonly database', 'database or disk is full'])(
  'a data file that cannot be written is not reported as damaged: %s',
  (message) => {
    expect(refusal('kept.db', new Error(message)).message).toBe(`kept.db cannot be read or written: ${message}`)
  },
)

test.each(['disk I/O error', 'unable to open database file'])(
  'a failing disk is not reported as damage to the data file: %s',
  (message) => {
    expect(refusal('kept.db', new Error(message), true).message).toBe(
      'kept.db cannot be read or written: the disk is full',
    )
    expect(refusal('kept.db', new Error(message)).message).toBe(`kept.db cannot be read or written: ${message}`)
  },
)

test('a folder of another program is rejected as a data directory and not changed', async () => {
  const folder = makeTemporaryFolder()
  writeFileSync(join(folder, 'letter.txt'), 'Dear all')
  await expect(openEngine(folder)).rejects.toThrow(
    /is not a vendor-cloud data directory: it contains letter.txt. Use an empty directory/,
  )
  expect(readdirSync(folder)).toEqual(['letter.txt'])
})

test('files of other programs in a data directory are reported and not changed', async () => {
  const folder = releaseDirectory('stopped')
  mkdirSync(join(folder, 'images/1'), { recursive: true })
  writeFileSync(join(folder, 'images/1', 'letter.txt'), 'Dear all')
  const reported: string[] = []
  await (await openDataFile(folder, (line) => reported.push(line))).close()
  expect(reported).toEqual([`${folder} also contains images, which vendor-cloud ignores`])
  expect(await readDirectory(folder)).toEqual(whole)
  expect(readdirSync(join(folder, 'images/1'))).toEqual(['letter.txt'])
})

test.each([DATA_FILE, `${DATA_FILE}-wal`])(
  'a symbolic link instead of %s is rejected, and its target is not changed',
  async (name) => {
    const folder = releaseDirectory('stopped')
    const elsewhere = join(makeTemporaryFolder(), 'letter.txt')
    writeFileSync(elsewhere, 'Dear all')
    rmSync(join(folder, name), { force: true })
    symlinkSync(elsewhere, join(folder, name))
    await expect(openEngine(folder)).rejects.toThrow(/is not a regular file/)
    expect(readFileSync(elsewhere, 'utf8')).toBe('Dear all')
  },
)

test('data directories written by another version and databases of other programs are rejected', async () => {
  const folder = releaseDirectory('stopped')
  for (const version of [1, 999_999]) {
    edit(folder, `PRAGMA user_version = ${version}`)
    await expect(openEngine(folder)).rejects.toThrow(/was written by another version of vendor-cloud. Use that version/)
  }
  edit(folder, 'PRAGMA application_id = 1')
  await expect(openEngine(folder)).rejects.toThrow(/is not a vendor-cloud data file/)
})

test('only one server at a time can use a data directory', async () => {
  const folder = join(makeTemporaryFolder(), 'data')
  const engine = await openEngine(folder)
  await expect(openEngine(folder)).rejects.toThrow(/in use by another server/)
  await engine.close()
  await (await openEngine(folder)).close()
})

test('an empty data file is rejected, and a start succeeds after the file is deleted', async () => {
  const folder = makeTemporaryFolder()
  const path = join(folder, DATA_FILE)
  writeFileSync(path, '')
  await expect(openEngine(folder)).rejects.toThrow(
    `${path} is damaged: the file is empty, for example because the first start was killed. Delete it`,
  )
  expect(statSync(path).size).toBe(0)
  rmSync(path)
  const engine = await openEngine(folder)
  await engine.create(worldRecord(), { records: new Map(), blobs: [] })
  await engine.close()
  expect(readdirSync(folder)).toEqual([DATA_FILE])
})

test('parallel uploads of the same image all succeed and store it once', async () => {
  const engine = await openEngine(makeTemporaryFolder())
  const { blobs } = (await engine.create(worldRecord(), { records: new Map(), blobs: [] }))!
  await Promise.all(Array.from({ length: 8 }, () => blobs.put(IMAGE_DIGEST, IMAGE)))
  expect(Buffer.from((await blobs.get(IMAGE_DIGEST))!)).toEqual(whole.image)
  await engine.close()
})

test('writes to a deleted or replaced world fail and change nothing', async () => {
  const engine = await openEngine(makeTemporaryFolder())
  const content = { records: new Map(), blobs: [] }
  const old = (await engine.create(worldRecord('a'), content))!
  const fresh = (await engine.create(worldRecord('a'), content, { replace: true }))!
  await old.discard()
  const put = { name: 'a', value: '1' }
  await expect(old.store.transaction((tx) => tx.settings.put(put))).rejects.toThrow(WorldEnded)
  await expect(old.blobs.put(IMAGE_DIGEST, IMAGE)).rejects.toThrow(WorldEnded)
  await expect(old.saveClock({ offsetMs: 1 }, 0)).rejects.toThrow(WorldEnded)
  expect(await fresh.store.settings.count()).toBe(0)
  expect(await fresh.blobs.get(IMAGE_DIGEST)).toBeUndefined()
  expect(await engine.list()).toMatchObject([{ id: fresh.id, clock: { offsetMs: 0 } }])
  await engine.close()
})

test('a clock move during a reset does not restore the state before the reset', async () => {
  const folder = makeTemporaryFolder()
  const engine = await openEngine(folder)
  const content = { records: new Map(), blobs: [] }
  const old = (await engine.create(worldRecord('a'), content))!
  const making = engine.create(worldRecord('a'), content, { replace: true })
  await old.saveClock({ offsetMs: 1 }, 0)
  const fresh = (await making)!
  await old.discard()
  await engine.close()
  const next = await openEngine(folder)
  expect(await next.list()).toMatchObject([{ id: fresh.id, clock: { offsetMs: 0 } }])
  await next.close()
})

test('a deleted or reset world leaves no rows in the data file', async () => {
  const folder = makeTemporaryFolder()
  const content = {
    records: new Map([['settings', [{ name: 'a', value: '1' }]]] as const),
    blobs: [[IMAGE_DIGEST, IMAGE]] as const,
  }
  const engine = await openEngine(folder)
  const old = (await engine.create(worldRecord('a'), content))!
  await old.store.transaction((tx) => tx.settings.put({ name: 'b', value: '2' }))
  const fresh = (await engine.create(worldRecord('a'), content, { replace: true }))!
  await old.discard()
  const kept = (await engine.create(worldRecord('kept'), content))!
  await engine.close()
  const count = async () => {
    const file = await openDataFile(folder)
    const ids = await file.read(
      `SELECT id FROM worlds UNION ALL SELECT id FROM bases
      UNION ALL SELECT world FROM records UNION ALL SELECT world FROM images`,
    )
    await file.close()
    return ids.map((row) => String(row['id'])).toSorted()
  }
  // The initial content of a world is stored in a base. The number of the base is one less than that of the world.
  const baseOf = ({ id }: { id: string }) => String(Number(id) - 1)
  const [base, keptBase] = [baseOf(fresh), baseOf(kept)]
  expect(await count()).toEqual([base, base, base, fresh.id, keptBase, keptBase, keptBase, kept.id])
  const next = await openEngine(folder)
  await (await next.open('a')).discard()
  await next.close()
  // At startup, the server has deleted the images that no record references.
  expect(await count()).toEqual([keptBase, keptBase, kept.id])
})

test('a fork on disk is independent of its source, even after the source is deleted', async () => {
  const server = await startServer(readConfig({ PORT: '0', DATA_DIR: makeTemporaryFolder() }))
  onTestFinished(() => server.close())
  await expectIndependentFork(server.url)
})

test('a large world is written in slices that do not block the event loop', async () => {
  const engine = await openEngine(makeTemporaryFolder())
  const settings = Array.from({ length: 20_000 }, (_, i) => ({ name: `n${i}`, value: 'x'.repeat(500) }))
  let [turns, isDone] = [0, false]
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  count()
  await engine.create(worldRecord(), { records: new Map([['settings', settings]]), blobs: [] })
  isDone = true
  expect(turns).toBeGreaterThan(40)
  await engine.close()
})
