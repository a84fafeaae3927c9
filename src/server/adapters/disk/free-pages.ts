import type { Database } from './database.ts'

/** Later worlds may use these pages: giving them back would cost more than it saves. */
const SPARE = 256
/** Other writes wait no longer than for so many pages. */
const STEP = 256

/** Pages of deleted worlds go back to the disk in small steps between other work. */
export function createPageRelease(file: Database): () => void {
  let [isAtWork, isWanted] = [false, false]

  async function release(): Promise<void> {
    let free = Number(await file.ask('freelist_count'))
    if (free <= SPARE) return
    for (let before = Infinity; free > SPARE && free < before; ) {
      before = free
      await file.read(`PRAGMA incremental_vacuum(${STEP})`)
      free = Number(await file.ask('freelist_count'))
    }
    await file.run('PRAGMA wal_checkpoint(TRUNCATE)')
  }

  async function releaseAll(): Promise<void> {
    isAtWork = true
    while (isWanted) {
      isWanted = false
      // The file may be closed or the disk full; the next deleted world tries again.
      await release().catch(() => {})
    }
    isAtWork = false
  }

  return () => {
    isWanted = true
    if (!isAtWork) void releaseAll()
  }
}

/** A file of format 1 is rewritten once, where there is room, so that it can give pages back. */
export async function allowPageRelease(file: Database): Promise<void> {
  if (Number(await file.ask('auto_vacuum')) === 0) await file.run('VACUUM').catch(() => {})
}
