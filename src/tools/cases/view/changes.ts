import { type CollectionName, collections } from '#contract/records/collections.ts'
import { REDACTED, looksSecret } from '#contract/records/secret-names.ts'
import { type Difference, diffValues } from '../structural-diff.ts'
import type { FieldChange, PlayedStep, RecordChange } from './case-view.ts'

/** Limits the list of changes, because a step can change thousands of records. */
const MOST_RECORDS = 50
const MOST_FIELDS = 50
const LONGEST = 400

type Stored = Readonly<Record<string, unknown>>

export type StoredRecords = ReadonlyMap<string, ReadonlyMap<string, Stored>>

/** Records that are the same object before and after are skipped without comparing their fields. */
export function findChanges(
  before: StoredRecords,
  after: StoredRecords,
  hide: (text: string) => string,
): Pick<PlayedStep, 'changes' | 'moreChanges'> {
  const toText = (value: unknown) => shorten(hide(JSON.stringify(value) ?? 'nothing'))
  const changes: RecordChange[] = []
  let count = 0
  const add = (collection: string, key: string, change: () => Pick<RecordChange, 'kind' | 'fields' | 'record'>) => {
    if (++count <= MOST_RECORDS) changes.push({ collection, key: toKey(collection, key, hide), ...change() })
  }
  for (const [name, records] of after) {
    const known = before.get(name)
    for (const [key, record] of records) {
      const old = known?.get(key)
      if (old === record) continue
      if (!old) add(name, key, () => ({ kind: 'added', record: toText(withoutSecrets(record)) }))
      else {
        const found = diffValues('', withoutSecrets(old), withoutSecrets(record)).slice(0, MOST_FIELDS)
        if (found.length === 0) continue
        add(name, key, () => ({ kind: 'changed', fields: found.map((each) => toFieldChange(each, toText)) }))
      }
    }
    for (const [key, record] of known ?? []) {
      if (!records.has(key)) add(name, key, () => ({ kind: 'removed', record: toText(withoutSecrets(record)) }))
    }
  }
  if (count === 0) return {}
  return { changes, ...(count > MOST_RECORDS && { moreChanges: count - MOST_RECORDS }) }
}

function toFieldChange({ path, kind, recorded, actual }: Difference, toText: (value: unknown) => string): FieldChange {
  return {
    path: shorten(path),
    ...(kind !== 'further' && { before: toText(recorded) }),
    ...(kind !== 'missing' && { after: toText(actual) }),
  }
}

/** Secrets are found by field name, because the value of a short secret could occur in other text by chance. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  const isHidden = (name: string, each: unknown) => typeof each === 'string' && looksSecret(name)
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, isHidden(name, each) ? REDACTED : withoutSecrets(each)]),
  )
}

function toKey(collection: string, key: string, hide: (text: string) => string): string {
  const { key: field = '' } = Object.hasOwn(collections, collection) ? collections[collection as CollectionName] : {}
  return looksSecret(field) ? REDACTED : shorten(hide(key))
}

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
