import { lstat, mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { UnusableState } from '../../ports.ts'
import { type CollectionName, collections } from '../../schemas/collections.ts'
import type { Stored } from '../record.ts'
import { DatabaseThread, type Row, type SqlValue, type Step } from './database-thread.ts'

export const DATA_FILE = 'vendor-cloud.db'
/** SQLite keeps what it has not moved into the file yet in these. */
const OURS = [DATA_FILE, `${DATA_FILE}-wal`, `${DATA_FILE}-shm`, `${DATA_FILE}-journal`]
/** Of the tables. */
const FORMAT = 1
/** What tells our files from other SQLite databases: "vcld". */
const APPLICATION = 0x76636c64

const TABLES = `
BEGIN IMMEDIATE;
CREATE TABLE worlds (name TEXT PRIMARY KEY, id INTEGER, body TEXT, checksum INTEGER) WITHOUT ROWID;
CREATE TABLE records (
  world INTEGER, collection TEXT, key TEXT, body TEXT, checksum INTEGER, PRIMARY KEY (world, collection, key)
) WITHOUT ROWID;
CREATE TABLE images (world INTEGER, digest TEXT, bytes BLOB, PRIMARY KEY (world, digest)) WITHOUT ROWID;
PRAGMA application_id = ${APPLICATION};
PRAGMA user_version = ${FORMAT};
COMMIT;`

/** Takes a directory for this process. UnusableState when what is in it is damaged, in use, or not ours. */
export async function openDataFile(directory: string): Promise<DatabaseThread> {
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new UnusableState(`the data directory cannot be made: ${error.message}`)
  })
  await checkDirectory(directory)
  const path = join(directory, DATA_FILE)
  // Nobody else may read it; SQLite gives its other files the same mode.
  await (await open(path, 'a', 0o600)).close()
  const file = new DatabaseThread(path)
  try {
    await lock(file)
    const isNew = await checkFormat(file, path)
    if (isNew) await file.execute(TABLES)
    if (isNew) await syncDirectory(directory)
    return file
  } catch (error) {
    await file.close()
    throw refusal(path, error)
  }
}

/** Why a file that cannot be read is refused. */
export function refusal(path: string, error: unknown): Error {
  const { message } = ((error as Error).cause ?? error) as Error
  if (error instanceof UnusableState) return error
  if (/locked|busy/.test(message)) return new UnusableState(`${path} is in use by another server`)
  return new UnusableState(`${path} is damaged: ${message}`, { cause: error })
}

async function checkDirectory(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name !== 'lost+found')
  if (names.includes('data.mdb')) {
    throw new UnusableState(
      `${directory} holds worlds of an older version of vendor-cloud (data.mdb, images). Start that version on it, ` +
        'save each world with GET /_control/snapshot, and give the file to this one as SNAPSHOT, with a new DATA_DIR',
    )
  }
  const foreign = names.filter((name) => !OURS.includes(name))
  const some = foreign.slice(0, 3).join(', ')
  if (foreign.length > 0 && !names.includes(DATA_FILE)) {
    throw new UnusableState(`${directory} is no data directory of vendor-cloud: it holds ${some}`)
  }
  for (const name of OURS) {
    const found = await lstat(join(directory, name)).catch(() => undefined)
    if (found && !found.isFile()) throw new UnusableState(`${join(directory, name)} is no regular file`)
  }
  if (foreign.length > 0) process.emitWarning(`${directory} also holds ${some}: it is left alone`)
}

/** Of one process at a time, until it closes the file or ends, however it ends. A commit is acknowledged when synced. */
async function lock(file: DatabaseThread): Promise<void> {
  await file.execute(
    'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000',
  )
  await file.execute('BEGIN EXCLUSIVE; COMMIT')
}

/** Whether there is nothing in it yet. */
async function checkFormat(file: DatabaseThread, path: string): Promise<boolean> {
  const [check] = await file.read('PRAGMA quick_check(1)')
  if (check?.['quick_check'] !== 'ok') throw new UnusableState(`${path} is damaged: ${check?.['quick_check']}`)
  const [tables] = await file.read('SELECT count(*) AS count FROM sqlite_schema')
  if (tables?.['count'] === 0) return true
  const [application] = await file.read('PRAGMA application_id')
  if (application?.['application_id'] !== APPLICATION) throw new UnusableState(`${path} is not of vendor-cloud`)
  const [version] = await file.read('PRAGMA user_version')
  if (Number(version?.['user_version']) > FORMAT) throw new UnusableState(`${path} was written by a newer server`)
  return false
}

/** Makes the names of new files durable. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory)
  await handle.sync().finally(() => handle.close())
}

/** A world has a number of its own; one that replaces another has a new one. */
export function putRecords(world: number, records: readonly (readonly [CollectionName, Stored])[]): Step {
  const rows = records.map(([name, record]) => {
    const [key, body] = [toKey(String(record[collections[name].key])), JSON.stringify(record)]
    return [world, name, key, body, checksum(world, name, key, body)]
  })
  return ['REPLACE INTO records (world, collection, key, body, checksum) VALUES (?, ?, ?, ?, ?)', rows]
}

export function removeRecords(world: number, keys: readonly (readonly [CollectionName, string])[]): Step {
  const rows = keys.map(([name, key]) => [world, name, toKey(key)])
  return ['DELETE FROM records WHERE world = ? AND collection = ? AND key = ?', rows]
}

export function putWorld(name: string, id: number, body: string): Step {
  const row = [name, id, body, checksum(name, id, body)]
  return ['REPLACE INTO worlds (name, id, body, checksum) VALUES (?, ?, ?, ?)', [row]]
}

export function putImage(world: number, digest: string, bytes: Uint8Array): Step {
  return ['REPLACE INTO images (world, digest, bytes) VALUES (?, ?, ?)', [[world, digest, bytes]]]
}

export function removeImage(world: number, digest: string): Step {
  return ['DELETE FROM images WHERE world = ? AND digest = ?', [[world, digest]]]
}

/** What was kept of a row, when it is what was written. */
export function readBody({ checksum: kept, ...row }: Row): unknown {
  if (checksum(...Object.values(row)) === kept) return JSON.parse(String(row['body']))
  throw new Error(`a row is not what was written: ${[row['name'], row['collection'], row['key']].join(' ')}`)
}

function checksum(...values: SqlValue[]): number {
  return crc32(values.join('\0'))
}

/** As in JSON, where every text has characters that can be written. */
function toKey(key: string): string {
  return JSON.stringify(key).slice(1, -1)
}
