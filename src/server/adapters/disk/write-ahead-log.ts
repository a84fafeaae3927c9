import { readFile } from 'node:fs/promises'

/** SQLite's magic number for a log with sums of little-endian words. */
const LITTLE_ENDIAN = 0x377f0682
const HEADER = 32
/** Each frame begins with its page number, the size of the database or 0, two salts and two sums. */
const FRAME_HEADER = 24

/**
 * Gives what is damaged of a log that a killed server left. SQLite takes the first frame that is not what was written
 * for the end, and drops the writes behind it without a word. Nothing is behind a frame that was half written when the
 * server was killed.
 */
export async function findLogDamage(path: string): Promise<string | undefined> {
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
  if (!areSumsAt(24)) return 'its first bytes are not what was written'
  const size = FRAME_HEADER + log.getUint32(8)
  let end: number | undefined
  for (let at = HEADER; at + size <= bytes.length; at += size) {
    // Frames with other salts are older than the log.
    const isOfThisLog = log.getBigUint64(at + 8) === log.getBigUint64(16)
    if (end !== undefined && isOfThisLog && log.getUint32(at + 4) > 0) return `it has writes behind byte ${end}`
    if (end !== undefined) continue
    add(at, 8)
    add(at + FRAME_HEADER, size - FRAME_HEADER)
    if (!isOfThisLog || !areSumsAt(at + 16)) end = at
  }
  return undefined
}
