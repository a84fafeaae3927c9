import type { Database } from './database.ts'

/** Pages that worlds to come may take: giving them back would cost more than it saves. */
const SPARE = 256
/** Pages given back at a time: what else is to be written waits no longer than for these. */
const STEP = 256

/** Gives back to the disk what worlds have left that are gone, in small steps between other work. */
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
      // A file that is closed, or a full disk: the next world that goes asks again.
      await release().catch(() => {})
    }
    isAtWork = false
  }

  return () => {
    isWanted = true
    if (!isAtWork) void releaseAll()
  }
}

/** Lets a file of format 1 give pages back: it is written anew once, where there is room for that. */
export async function allowPageRelease(file: Database): Promise<void> {
  if (Number(await file.ask('auto_vacuum')) === 0) await file.run('VACUUM').catch(() => {})
}
