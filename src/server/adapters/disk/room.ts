import { statfs } from 'node:fs/promises'

/** With less room in bytes the next larger write would fail. */
const LEAST_ROOM = 1024 * 1024

export async function isFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < LEAST_ROOM
}
