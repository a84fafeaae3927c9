import { type CollectionName, collectionNames } from './collections.ts'
import type { StoredRecord } from './snapshot.ts'
import { isObject, isSame, ownValue } from './plain-values.ts'
import type { FieldChange, WorldDiff } from './control/world-diff.ts'

/** Collections that may differ even if two worlds have the same content. */
const unreported: readonly CollectionName[] = ['counters', 'settings']

export const comparedCollections: readonly CollectionName[] = collectionNames
  .filter((name) => !unreported.includes(name))
  .sort()

const MOST_REPORTED = 1000
const MOST_CHARACTERS = 1_000_000

interface Found {
  key: string
  before: StoredRecord | undefined
  after: StoredRecord | undefined
}

type Kind = 'added' | 'removed' | 'changed'

/** Stores only the differences that will be reported, which limits memory. */
export class DiffList {
  readonly #found = new Map<CollectionName, Record<Kind, Found[]>>()
  readonly #counts = { added: 0, removed: 0, changed: 0 }

  compare(name: CollectionName, key: string, before: StoredRecord | undefined, after: StoredRecord | undefined): void {
    if (before === after || (before && after && isSame(before, after))) return
    const kind = before && after ? 'changed' : after ? 'added' : 'removed'
    this.#counts[kind]++
    const ofName = this.#found.get(name) ?? { added: [], removed: [], changed: [] }
    this.#found.set(name, ofName)
    const list = ofName[kind]
    list.push({ key, before, after })
    if (list.length >= 2 * MOST_REPORTED) keepFirst(list)
  }

  tell(): WorldDiff {
    const diff: WorldDiff = { same: true, added: [], removed: [], changed: [], counts: { ...this.#counts } }
    let left = MOST_CHARACTERS
    const tell = <T>(list: T[], make: () => T) => {
      if (left < 0 || list.length === MOST_REPORTED) return
      const entry = make()
      left -= JSON.stringify(entry).length
      if (left >= 0) list.push(entry)
    }
    for (const collection of comparedCollections) {
      const { added = [], removed = [], changed = [] } = this.#found.get(collection) ?? {}
      for (const { key, after } of keepFirst(added)) tell(diff.added, () => ({ collection, key, record: after! }))
      for (const { key, before } of keepFirst(removed)) tell(diff.removed, () => ({ collection, key, record: before! }))
      for (const { key, before, after } of keepFirst(changed)) {
        tell(diff.changed, () => ({ collection, key, fields: diffFields('', before, after) }))
      }
    }
    const { added, removed, changed } = this.#counts
    return { ...diff, same: added + removed + changed === 0 }
  }
}

function diffFields(path: string, before: unknown, after: unknown): FieldChange[] {
  if (Array.isArray(before) && Array.isArray(after)) {
    const places = Array.from({ length: Math.max(before.length, after.length) }, (_, i) => i)
    return places.flatMap((i) => diffFields(`${path}[${i}]`, before[i], after[i]))
  }
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
    return names.flatMap((name) => {
      return diffFields(path === '' ? name : `${path}.${name}`, ownValue(before, name), ownValue(after, name))
    })
  }
  if (Object.is(before, after) || JSON.stringify(before) === JSON.stringify(after)) return []
  return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }]
}

function keepFirst(list: Found[]): Found[] {
  list.sort((a, b) => (a.key < b.key ? -1 : 1)).splice(MOST_REPORTED)
  return list
}
