import type { CollectionName } from '../../../contract/records/collections.ts'
import type { LateWrite } from '../../../contract/records/control/late-write.ts'
import type { Transaction } from '../../ports/store.ts'
import type { ReplicaOptions } from '../../ports/replica.ts'
import type { Stored, StoredReader } from '../record.ts'

/** Writes that are kept; of more the oldest are seen by all. */
const MOST_KEPT = 10_000
/** Those that nobody waits for any more go a few at a time. */
const SWEPT = 20

/** By keys, the records of which the caller sees an earlier state: that before the first write that is hidden. */
export function toSeen(writes: readonly LateWrite[], options: ReplicaOptions): Map<string, Stored | undefined> {
  const seen = new Map<string, Stored | undefined>()
  const open = new Set<string>()
  for (const write of writes.toSorted((a, b) => b.number - a.number)) {
    if (open.has(write.key)) continue
    // Behind one that is seen, all are.
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
