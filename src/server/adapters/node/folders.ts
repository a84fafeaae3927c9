import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Node's `recursive` option never returns if a parent such as /proc does not accept folders. */
export async function makeFolder(folder: string): Promise<void> {
  const isThere = async () => (await stat(folder).catch(() => undefined))?.isDirectory()
  if (await isThere()) return
  const parent = dirname(folder)
  if (parent !== folder) await makeFolder(parent)
  await mkdir(folder, { mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
    // Another server may have created the folder in the meantime.
    if (await isThere()) return
    throw error.code === 'EEXIST' ? Object.assign(error, { code: 'ENOTDIR' }) : error
  })
}
