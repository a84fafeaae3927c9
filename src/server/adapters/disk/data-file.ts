import { lstat, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describeFailure } from '#contract/failures.ts'
import { SNAPSHOT_VERSION } from '#contract/records/snapshot.ts'
import { UnusableState } from '#server/ports/failures.ts'
import { makeFolder } from '../node/folders.ts'
import { Database, isFull, type Step } from './database.ts'

export type Report = (line: string) => void

export const DATA_FILE = 'vendor-cloud.db'
/** The files of SQLite. The `-wal` and `-journal` files contain changes that are not yet in the main file. */
const OURS = [DATA_FILE, `${DATA_FILE}-wal`, `${DATA_FILE}-shm`, `${DATA_FILE}-journal`]
/** Version of the tables (4000), plus the version of the records. Files with another number are rejected. */
const FORMAT = 4000 + SNAPSHOT_VERSION
/** The application ID "vcld", which distinguishes vendor-cloud's files from other SQLite databases. */
const APPLICATION = 0x76636c64

/** `world` numbers worlds and bases. A world's first row in `events` may have no event, only the number before it. */
const TABLES = [
  'CREATE TABLE bases (id INTEGER PRIMARY KEY, body TEXT, checksum INTEGER)',
  `CREATE TABLE events (
    world INTEGER, sequence INTEGER, body TEXT, checksum INTEGER, PRIMARY KEY (world, sequence)
  ) WITHOUT ROWID`,
  'CREATE TABLE worlds (name TEXT PRIMARY KEY, id INTEGER, body TEXT, checksum INTEGER) WITHOUT ROWID',
  `CREATE TABLE records (
    world INTEGER, collection TEXT, key TEXT, body TEXT, checksum INTEGER, PRIMARY KEY (world, collection, key)
  ) WITHOUT ROWID`,
  'CREATE TABLE images (world INTEGER, digest TEXT, bytes BLOB, PRIMARY KEY (world, digest)) WITHOUT ROWID',
  `PRAGMA application_id = ${APPLICATION}`,
  `PRAGMA user_version = ${FORMAT}`,
]

/**
 * Locks the directory. Throws UnusableState if the content is damaged, in use, or from another program. `report` gets a
 * line about other files.
 */
export async function openDataFile(directory: string, report: Report = () => {}): Promise<Database> {
  await makeFolder(directory).catch(cannotBe(directory, 'made'))
  await checkDirectory(directory, report)
  const path = join(directory, DATA_FILE)
  const damage = await findLogDamage(`${path}-wal`)
  if (damage) {
    const way = `copy the directory, then open ${path} once with sqlite3, which discards them`
    throw new UnusableState(`${path}-wal is damaged: ${damage} that cannot be read. To continue without them, ${way}`)
  }
  const found = await stat(path).catch(() => undefined)
  if (found?.size === 0) {
    throw new UnusableState(
      `${path} is damaged: the file is empty, for example because the first start was killed. Delete it`,
    )
  }
  // Creates the file with access only for its owner. SQLite then uses the same file mode for its other files.
  await (await open(path, 'a', 0o600).catch(cannotBe(directory, 'written'))).close()
  const file = new Database(path)
  try {
    const isEmpty = await checkContent(file, path)
    if (isEmpty) await file.write(...TABLES.map((sql): Step => [sql]))
    return file
  } catch (error) {
    await file.close()
    // For example, without the SQLite package. An empty file would make the next start report damage.
    if (!found && (await stat(path)).size === 0) await rm(path)
    throw refusal(path, error, await isFull(directory))
  }
}

/** On a full disk, SQLite may report only a disk error, so the caller passes `isDiskFull`. */
export function refusal(path: string, error: unknown, isDiskFull = false): Error {
  const { message } = ((error as Error).cause ?? error) as Error
  if (error instanceof UnusableState) return error
  const [missing] = /@photostructure\/sqlite(?=' imported from)/.exec(message) ?? []
  if (missing) return new UnusableState(`DATA_DIR needs the package ${missing}: npm install ${missing}`)
  if (/locked|busy/.test(message))
    return new UnusableState(`${path} is in use by another server. Stop it, or set another DATA_DIR`)
  if (message === 'file is not a database') return new UnusableState(`${path} is not a database of vendor-cloud`)
  const isOfDisk = /disk I\/O error|unable to open|readonly|disk is full/.test(message)
  const reason = isOfDisk && isDiskFull ? 'the disk is full' : message
  return new UnusableState(`${path} ${isOfDisk ? 'cannot be read or written' : 'is damaged'}: ${reason}`, {
    cause: error,
  })
}

const cannotBe = (directory: string, done: string) => (error: Error) => {
  throw new UnusableState(`the data directory ${directory} cannot be ${done}: ${describeFailure(error)}`)
}

/** The directory must exist. */
export async function checkDirectory(directory: string, report: Report = () => {}): Promise<void> {
  const names = (await readdir(directory).catch(cannotBe(directory, 'read'))).filter((name) => name !== 'lost+found')
  const foreign = names.filter((name) => !OURS.includes(name))
  const some = foreign.slice(0, 3).join(', ')
  if (foreign.length > 0 && !names.includes(DATA_FILE)) {
    throw new UnusableState(
      `${directory} is not a vendor-cloud data directory: it contains ${some}. Use an empty directory`,
    )
  }
  for (const name of OURS) {
    const found = await lstat(join(directory, name)).catch(() => undefined)
    if (found && !found.isFile()) throw new UnusableState(`${join(directory, name)} is not a regular file`)
  }
  if (foreign.length > 0) report(`${directory} also contains ${some}, which vendor-cloud ignores`)
}

async function checkContent(file: Database, path: string): Promise<boolean> {
  const check = await file.ask('quick_check(1)')
  if (check !== 'ok') throw new UnusableState(`${path} is damaged: ${String(check).replaceAll('\n', ' ')}`)
  if ((await file.read('SELECT 1 FROM sqlite_schema LIMIT 1')).length === 0) return true
  if ((await file.ask('application_id')) !== APPLICATION)
    throw new UnusableState(`${path} is not a vendor-cloud data file`)
  if ((await file.ask('user_version')) === FORMAT) return false
  throw new UnusableState(`${path} was written by another version of vendor-cloud. Use that version or a new DATA_DIR`)
}

/** SQLite's magic number for a log whose checksums use little-endian words. */
const LITTLE_ENDIAN = 0x377f0682
const HEADER = 32
/** Each frame header has a page number, the size of the database (or 0), two salts and two checksums. */
const FRAME_HEADER = 24

/** SQLite silently drops all writes after an invalid frame. An incomplete last frame is left by a killed server. */
async function findLogDamage(path: string): Promise<string | undefined> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0))
  if (bytes.length < HEADER) return undefined
  const log = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const isLittle = log.getUint32(0) === LITTLE_ENDIAN
  let [a, b] = [0, 0]
  const add = (from: number, length: number) => {
    for (let at = from; at < from + length; at += 8) {
      a = (a + log.getUint32(at, isLittle) + b) >>> 0
      b = (b + log.getUint32(at + 4, isLittle) + a) >>> 0
    }
  }
  const areSumsAt = (at: number) => log.getUint32(at) === a && log.getUint32(at + 4) === b
  add(0, 24)
  if (!areSumsAt(24)) return 'its first bytes are wrong'
  const size = FRAME_HEADER + log.getUint32(8)
  let end: number | undefined
  for (let at = HEADER; at + size <= bytes.length; at += size) {
    // Frames with different salts are left over from an earlier log.
    const isOfThisLog = log.getBigUint64(at + 8) === log.getBigUint64(16)
    if (end !== undefined && isOfThisLog && log.getUint32(at + 4) > 0) return `it has writes after byte ${end}`
    if (end !== undefined) continue
    add(at, 8)
    add(at + FRAME_HEADER, size - FRAME_HEADER)
    if (!isOfThisLog || !areSumsAt(at + 16)) end = at
  }
  return undefined
}
