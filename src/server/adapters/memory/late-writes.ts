import type { CollectionName } from '../../../contract/records/collections.ts'
import type { LateWrite } from '../../../contract/records/control/late-write.ts'
import type { Transaction } from '../../ports/store.ts'
import type { ReplicaOptions } from '../../ports/replica.ts'
import type { Stored, StoredReader } from '../record.ts'

/** Beyond this number everybody sees the oldest writes. */
const MOST_KEPT = 10_000
/** Writes that nobody waits for go a few at a time. */
const SWEPT = 20

/** The caller sees the state before the first hidden write of a record. */
export function toSeen(writes: readonly LateWrite[], options: ReplicaOptions): Map<string, Stored | undefined> {
  const seen = new Map<string, Stored | undefined>()
  const open = new Set<string>()
  for (const write of writes.toSorted((a, b) => b.number - a.number)) {
    if (open.has(write.key)) continue
    // Writes behind a visible one are visible.
    if (!isHidden(write, options)) open.add(write.key)
    else seen.set(write.key, write.before)
  }
  return seen
}

function isHidden({ writer, at }: LateWrite, { caller, now, lag }: ReplicaOptions): boolean {
  if (writer !== undefined && writer === caller) return false
  const written = Date.parse(at)
  return written <= now && now < written + lag
}

export async function keepBefore(
  { lateWrites }: Transaction,
  collection: CollectionName,
  key: string,
  { get }: StoredReader,
  { caller, now, lag }: ReplicaOptions,
): Promise<void> {
  const oldest = await lateWrites.find({ orderBy: { field: 'at', direction: 'asc' }, limit: SWEPT })
  const isFull = (await lateWrites.count()) >= MOST_KEPT
  for (const { writeId, at } of oldest) {
    if (isFull || Date.parse(at) + lag <= now) await lateWrites.delete(writeId)
  }
  const before = await get(key)
  const kept = await lateWrites.find({ where: { collection, key } })
  const number = 1 + Math.max(0, ...kept.map((each) => each.number))
  await lateWrites.put({
    writeId: `${collection} ${key} ${number}`,
    collection,
    key,
    number,
    at: new Date(now).toISOString(),
    ...(caller !== undefined && { writer: caller }),
    ...(before && { before }),
  })
}
