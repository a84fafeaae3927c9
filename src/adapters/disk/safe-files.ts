import { constants } from 'node:fs'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Writes aside, syncs, renames: whoever looks finds the old content or the new, also after a power cut. */
export async function writeSafely(path: string, content: string | Uint8Array): Promise<void> {
  const aside = `${path}.new`
  try {
    const file = await open(aside, 'w', 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await replaceFile(aside, path)
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
}

/** Puts a file that is on disk in the place of another. */
export async function replaceFile(path: string, place: string): Promise<void> {
  await rename(path, place)
  await syncFolder(dirname(place))
}

export async function removeFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true })
}

/** Makes names durable that were added to a folder or taken from it. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Names in a folder; none when there is no such folder. */
export async function listFolder(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

/** Removes what is in a folder, those `kept` aside. */
export async function sweepFolder(folder: string, kept: ReadonlySet<string>): Promise<void> {
  for (const name of await listFolder(folder)) {
    if (!kept.has(name)) await rm(join(folder, name), { recursive: true, force: true })
  }
}
