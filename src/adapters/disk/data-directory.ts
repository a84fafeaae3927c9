import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { UnusableState } from '../../ports.ts'
import { SNAPSHOT_VERSION } from '../../schemas/snapshot-migrations.ts'
import { lockDirectory } from './directory-lock.ts'
import { digestOf, isDigest } from './file-digest.ts'
import { listFolder, sweepFolder, syncFolder, writeSafely } from './safe-files.ts'

/** Of how the files are laid out; 2 has another kind of digest. */
const FORMAT = 2

interface Manifest {
  product: 'vendor-cloud'
  format: number
  /** Of the records, as in snapshots. */
  schemaVersion: number
  /** Whether the first commit is done: until then there is nothing to lose. */
  complete: boolean
}

export interface DataDirectory {
  path: string
  /** Version of the records in it; nothing when it is new. */
  schemaVersion: number | undefined
  /** Whether the data file is, to the byte, what the last server left when it stopped. */
  isIntact: boolean
  /** From now on the records in it are of this version. */
  setComplete(): Promise<void>
  /** Call it when the data file is closed: the next start knows it by its digest. */
  release(): Promise<void>
  /** Lets go of it as it is. */
  unlock(): Promise<void>
}

/** Takes a directory for this process: a new one, or one that a server of this version or an older one left. */
export async function openDataDirectory(path: string): Promise<DataDirectory> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new UnusableState(`the data directory cannot be made: ${error.message}`)
  })
  // Nothing is put into a folder of somebody else's, not even a lock.
  await readManifest(path)
  const unlock = await lockDirectory(path)
  try {
    // Another server may have come and gone in between.
    const manifest = await readManifest(path)
    if (!manifest?.complete) await startOver(path)
    const isIntact = manifest?.complete ? await checkDigest(path) : true
    return {
      path,
      schemaVersion: manifest?.complete ? manifest.schemaVersion : undefined,
      isIntact,
      async setComplete() {
        const isSo = manifest?.complete && manifest.format === FORMAT && manifest.schemaVersion === SNAPSHOT_VERSION
        if (!isSo) await writeManifest(path, true)
      },
      async release() {
        await writeSafely(join(path, 'digest'), await digestOf(dataFile(path)))
        await unlock()
      },
      unlock,
    }
  } catch (error) {
    await unlock()
    throw error
  }
}

export const dataFile = (path: string): string => join(path, 'data.mdb')

async function readManifest(path: string): Promise<Manifest | undefined> {
  const names = (await listFolder(path)).filter((name) => name !== 'lost+found' && !name.startsWith('lock'))
  if (names.length === 0) return undefined
  if (!names.includes('manifest.json')) {
    throw new UnusableState(`${path} is no data directory of vendor-cloud: it holds ${names.slice(0, 3).join(', ')}`)
  }
  const manifest = await readFile(join(path, 'manifest.json'), 'utf8').then(parse, () => undefined)
  if (manifest?.product !== 'vendor-cloud' || !isVersion(manifest.format) || !isVersion(manifest.schemaVersion)) {
    throw new UnusableState(`${path}/manifest.json cannot be read, so nobody knows what the directory holds`)
  }
  if (manifest.format > FORMAT || manifest.schemaVersion > SNAPSHOT_VERSION) {
    const given = `format ${manifest.format}, records of version ${manifest.schemaVersion}`
    const known = `format ${FORMAT} and version ${SNAPSHOT_VERSION}`
    throw new UnusableState(`${path} was written by a newer server (${given}); this one reads up to ${known}`)
  }
  if (manifest.complete && !names.includes('data.mdb')) throw new UnusableState(`${path} lacks its file data.mdb`)
  return manifest as Manifest
}

async function startOver(path: string): Promise<void> {
  await writeManifest(path, false)
  await sweepFolder(path, new Set(['manifest.json', 'lock', 'lost+found']))
}

function writeManifest(path: string, complete: boolean): Promise<void> {
  const manifest: Manifest = { product: 'vendor-cloud', format: FORMAT, schemaVersion: SNAPSHOT_VERSION, complete }
  return writeSafely(join(path, 'manifest.json'), `${JSON.stringify(manifest)}\n`)
}

/** After a clean stop the file is known by its digest; what comes next changes it, so the digest goes. */
async function checkDigest(path: string): Promise<boolean> {
  const digest = await readFile(join(path, 'digest'), 'utf8').catch(() => undefined)
  if (digest === undefined) return false
  const isKnown = isDigest(digest)
  if (isKnown && digest !== (await digestOf(dataFile(path)))) {
    throw new UnusableState(`${dataFile(path)} is damaged: it is not what the last server left in it`)
  }
  await rm(join(path, 'digest'))
  await syncFolder(path)
  return isKnown
}

function parse(text: string): Partial<Manifest> | undefined {
  try {
    return JSON.parse(text) as Partial<Manifest>
  } catch {
    return undefined
  }
}

const isVersion = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 1
