import type { Scalar } from '#server/ports/store.ts'
import { type Collection, type CollectionName, collections } from '#contract/records/collections.ts'
import { findNearest } from '#contract/records/nearest.ts'
import { type Finding, finding, invalidInput } from '../errors.ts'

/** A field without an index is refused, since its query would read the whole collection. */
export function toConditions(name: CollectionName, filters: Readonly<Record<string, string | readonly string[]>>) {
  const { key, indexes }: Collection = collections[name]
  const allowed = [...new Set([key, ...indexes.flatMap(({ on }) => on)])]
  const findings: Finding[] = []
  const conditions: Record<string, Scalar[]> = {}
  for (const [field, texts] of Object.entries(filters)) {
    if (allowed.includes(field)) conditions[field] = [texts].flat().map((text) => toScalar(name, field, text))
    else {
      const nearest = findNearest(field, [...allowed, 'limit', 'offset'])
      const hint = nearest === undefined ? '' : `; the nearest is ${nearest}`
      findings.push(
        finding(`query.${field}`, `is no filter of ${name}${hint}; there are ${allowed.join(', ')}`, {
          source: 'our choice: records',
        }),
      )
    }
  }
  if (findings.length > 0) throw invalidInput(findings)
  return conditions
}

/** A query holds only text, so the field's schema says which type is meant. */
function toScalar(name: CollectionName, field: string, text: string): Scalar {
  const shape = collections[name].schema.shape as Readonly<
    Record<string, { safeParse(value: unknown): { success: boolean } }>
  >
  const others = text === 'true' || text === 'false' ? [text === 'true'] : [Number(text)]
  const fitting = [text, ...others].find((value) => shape[field]?.safeParse(value).success)
  return fitting ?? text
}
