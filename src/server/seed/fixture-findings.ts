import type { z } from 'zod'
import { type Collection, type CollectionName, collections } from '#contract/records/collections.ts'
import { findIssues, findUnknownFields, writePath } from '#contract/records/issues.ts'
import { sayNearest } from '#contract/records/nearest.ts'
import { type Fixture, toFileName } from './fixtures.ts'
import { findDangling } from './references.ts'
import { datesOf } from './relative-dates.ts'

export function findInCollection(
  name: CollectionName,
  list: readonly Fixture[],
  keysOf: (name: CollectionName) => ReadonlySet<unknown>,
  now: number,
): string[] {
  const { schema, key, indexes }: Collection = collections[name]
  const unique = [key, ...indexes.flatMap((index) => (index.unique ? index.on : []))]
  const namesIn = (targets: readonly CollectionName[]) => targets.flatMap((each) => [...keysOf(each)].map(String))
  const met = new Map<string, number>()
  return list.flatMap((record, i) => {
    const number = i + 1
    const found = [
      ...findInRecord(schema, record, now),
      ...findDangling(name, record, keysOf).map(
        ({ field, key: named, targets }) =>
          `${field} ${named} is in no record of ${targets.map(toFileName).join(' or ')}` +
          sayNearest(named, namesIn(targets)),
      ),
      ...unique.flatMap((field) => {
        const earlier = met.get(`${field} ${String(record[field])}`)
        if (record[field] === undefined) return []
        met.set(`${field} ${String(record[field])}`, number)
        return earlier === undefined ? [] : [`${field} is that of record ${earlier} too`]
      }),
    ]
    const id = record[key] === undefined ? '' : ` (${String(record[key])})`
    return found.map((finding) => `${toFileName(name)}, record ${number}${id}: ${finding}`)
  })
}

function findInRecord(schema: z.ZodType, record: Fixture, now: number): string[] {
  const unknown = findUnknownFields(schema, record, Infinity).map(({ path, rule }) => `${path && `${path} `}${rule}`)
  try {
    const resolved = datesOf(record)?.(now) ?? record
    const issues = findIssues(schema, resolved)
    return [...unknown, ...issues.map(({ path, rule }) => `${writePath('', path)} ${sayRelative(rule)}`)]
  } catch (error) {
    return [...unknown, (error as Error).message]
  }
}

function sayRelative(rule: string): string {
  if (rule.startsWith('must be an instant')) return `${rule}, or -P40D from the world's start`
  return rule.startsWith('must be a date') ? `${rule}, or date -P40D from the world's start` : rule
}
