import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Blobs, type Digests, Unavailable, UnusableState } from '../../ports.ts'
import { syncFolder, sweepFolder, writeSafely } from './safe-files.ts'

/** Bytes as files named by their digest; each is on disk when `put` resolves. The folder must be there. */
export function createFileBlobs(folder: string): Blobs {
  const reached = async <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: Error) => {
      throw new Unavailable('the images cannot be reached', { cause: error })
    })
  return {
    put: (digest, bytes) => reached(writeSafely(join(folder, digest), bytes)),
    get: (digest) =>
      reached(
        readFile(join(folder, digest)).catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return undefined
          throw error
        }),
      ),
    delete: (digest) => reached(rm(join(folder, digest), { force: true })),
  }
}

/** The folder of a new world. */
export async function makeBlobFolder(parent: string, name: string): Promise<string> {
  const folder = join(parent, name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await syncFolder(parent)
  return folder
}

/** Sweeps what no record names, and makes sure of what the records name. */
export async function checkBlobs(folder: string, named: ReadonlySet<string>, { sha256 }: Digests): Promise<void> {
  await sweepFolder(folder, named)
  for (const digest of named) {
    const bytes = await readFile(join(folder, digest)).catch(() => undefined)
    if (!bytes) throw new UnusableState(`the image ${join(folder, digest)} is missing`)
    if (sha256(bytes) !== digest) throw new UnusableState(`the image ${join(folder, digest)} is damaged`)
  }
}
