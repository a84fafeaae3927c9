import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { UnusableState } from '../../ports.ts'

/**
 * The number of the last commit, beside the data file: LMDB takes its last state but one when the page that names the
 * last is damaged, and says nothing. Written after the commit and not synced, so it never runs ahead.
 */
export interface CommitMark {
  read(): number
  write(commits: number): void
  close(): void
}

const SIZE = 12

export function openCommitMark(path: string): CommitMark {
  const file = openSync(path, 'a+', 0o600)
  closeSync(file)
  const handle = openSync(path, 'r+')
  const mark = Buffer.alloc(SIZE)
  return {
    read() {
      const length = readSync(handle, mark, 0, SIZE, 0)
      if (length === 0) return 0
      if (length === SIZE && mark.readUInt32LE(8) === crc32(mark.subarray(0, 8))) return Number(mark.readBigUInt64LE(0))
      throw new UnusableState(`${path} is damaged`)
    },
    write(commits) {
      mark.writeBigUInt64LE(BigInt(commits))
      mark.writeUInt32LE(crc32(mark.subarray(0, 8)), 8)
      try {
        writeSync(handle, mark, 0, SIZE, 0)
      } catch {
        // Without room even for this, an older number stays, which is as true. Half a one would not be.
        ftruncateSync(handle, 0)
      }
    },
    close: () => closeSync(handle),
  }
}
