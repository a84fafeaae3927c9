import type { Ports } from '#server/ports.ts'
import { yielding } from '#server/ports/yielding.ts'
import type { WorldPast } from '#server/ports/worlds.ts'
import { type CollectionName, collections } from '#contract/records/collections.ts'
import type { WorldDiff } from '#contract/records/control/world-diff.ts'
import type { StoredRecord } from '#contract/records/snapshot.ts'
import { comparedCollections, DiffList } from '#contract/records/world-diff.ts'

type ByKey = Map<string, StoredRecord>
export type ComparedRecords = ReadonlyMap<CollectionName, ByKey>

const PAGE = 2000

export function readNow(store: Ports['store'], signal: AbortSignal): Promise<ComparedRecords> {
  return store.transaction(async (tx) => {
    const all = new Map<CollectionName, ByKey>()
    for (const name of comparedCollections) {
      const found: ByKey = new Map()
      all.set(name, found)
      for (let offset = 0, isMore = true; isMore; offset += PAGE) {
        const page: readonly StoredRecord[] = await tx.collection(name).find({ offset, limit: PAGE })
        await addAll(found, name, page, signal)
        isMore = page.length === PAGE
      }
    }
    return all
  })
}

export async function readAsItWas({ copy, changes }: WorldPast, signal: AbortSignal): Promise<ComparedRecords> {
  const all = new Map<CollectionName, ByKey>()
  for (const name of comparedCollections) {
    const found: ByKey = new Map()
    all.set(name, found)
    await addAll(found, name, await copy.read(name), signal)
    for (const [key, record] of changes.get(name) ?? []) {
      if (record) found.set(key, record)
      else found.delete(key)
    }
  }
  return all
}

async function addAll(found: ByKey, name: CollectionName, records: readonly StoredRecord[], signal: AbortSignal) {
  const { key } = collections[name]
  for await (const record of yielding(records, signal)) found.set(String(record[key]), record)
}

export async function diffRecords(
  before: ComparedRecords,
  after: ComparedRecords,
  signal: AbortSignal,
): Promise<WorldDiff> {
  const list = new DiffList()
  for (const name of comparedCollections) {
    const [old, now]: ByKey[] = [before.get(name) ?? new Map(), after.get(name) ?? new Map()]
    for await (const [key, record] of yielding(old!, signal)) {
      list.compare(name, key, record, now!.get(key))
    }
    for await (const [key, record] of yielding(now!, signal)) {
      if (!old!.has(key)) list.compare(name, key, undefined, record)
    }
  }
  return list.tell()
}
