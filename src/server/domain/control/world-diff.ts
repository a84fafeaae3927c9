import type { Ports } from '../../ports.ts'
import type { Turns } from '../../ports/turns.ts'
import type { WorldPast } from '../../ports/worlds.ts'
import { type CollectionName, collections } from '../../../contract/records/collections.ts'
import type { WorldDiff } from '../../../contract/records/control/world-diff.ts'
import type { StoredRecord } from '../../../contract/records/snapshot.ts'
import { comparedCollections, DiffList } from '../../../contract/records/world-diff.ts'

type ByKey = Map<string, StoredRecord>
export type ComparedRecords = ReadonlyMap<CollectionName, ByKey>

const PAGE = 2000

export function readNow(store: Ports['store'], turns: Turns): Promise<ComparedRecords> {
  return store.transaction(async (tx) => {
    const all = new Map<CollectionName, ByKey>()
    for (const name of comparedCollections) {
      const found: ByKey = new Map()
      all.set(name, found)
      for (let offset = 0, isMore = true; isMore; offset += PAGE) {
        const page: readonly StoredRecord[] = await tx.collection(name).find({ offset, limit: PAGE })
        await addAll(found, name, page, turns)
        isMore = page.length === PAGE
      }
    }
    return all
  })
}

export async function readAsItWas({ copy, changes }: WorldPast, turns: Turns): Promise<ComparedRecords> {
  const all = new Map<CollectionName, ByKey>()
  for (const name of comparedCollections) {
    const found: ByKey = new Map()
    all.set(name, found)
    await addAll(found, name, await copy.read(name), turns)
    for (const [key, record] of changes.get(name) ?? []) {
      if (record) found.set(key, record)
      else found.delete(key)
    }
  }
  return all
}

async function addAll(found: ByKey, name: CollectionName, records: readonly StoredRecord[], turns: Turns) {
  const { key } = collections[name]
  for (const record of records) {
    found.set(String(record[key]), record)
    const turn = turns.give()
    if (turn) await turn
  }
}

export async function diffRecords(before: ComparedRecords, after: ComparedRecords, turns: Turns): Promise<WorldDiff> {
  const list = new DiffList()
  for (const name of comparedCollections) {
    const [old, now]: ByKey[] = [before.get(name) ?? new Map(), after.get(name) ?? new Map()]
    for (const [key, record] of old!) {
      list.compare(name, key, record, now!.get(key))
      const turn = turns.give()
      if (turn) await turn
    }
    for (const [key, record] of now!) {
      if (!old!.has(key)) list.compare(name, key, undefined, record)
      const turn = turns.give()
      if (turn) await turn
    }
  }
  return list.tell()
}
