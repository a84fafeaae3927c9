import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder and its parents with access only for this user. Does not use Node's `recursive` option, which never
 * returns if the folder cannot be created in an existing parent such as /proc.
 */
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
