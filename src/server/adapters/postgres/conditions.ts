import type { Where } from '../../ports/store.ts'
import type { CollectionName } from '../../../contract/records/collections.ts'
import { equalColumn, LAPSE, orderColumn } from './layout.ts'
import { toBytes, toOrder } from './values.ts'
import { collectionOf } from '../record.ts'

/** A record that has lapsed at `asOf` counts as what it has become. */
export function conditionsOf(name: CollectionName, world: string, where: Where<CollectionName>, asOf?: number) {
  const { key, lapse } = collectionOf(name)
  const values: unknown[] = [world]
  const conditions = ['house = $1']
  for (const [field, value] of Object.entries(where)) {
    if (value === undefined) continue
    const column = field === key ? 'key' : equalColumn(field)
    const allowed = (Array.isArray(value) ? value : [value]).map((each) => toBytes(String(each)))
    values.push(allowed.length === 1 ? allowed[0] : allowed)
    const condition = `${column} = ${allowed.length === 1 ? '' : 'ANY'}($${values.length})`
    if (asOf === undefined || field !== lapse?.field) {
      conditions.push(condition)
      continue
    }
    values.push(asOf)
    const hasLapsed = `${LAPSE} <= $${values.length}`
    const becomesOne = [value].flat().includes(lapse.becomes) ? ` OR ${hasLapsed}` : ''
    conditions.push(`((${condition} AND (${hasLapsed}) IS NOT TRUE)${becomesOne})`)
  }
  return { text: conditions.join(' AND '), values }
}

/** A field that lapses is ordered as of the instant. May add to the statement's values. */
export function orderOf(name: CollectionName, field: string, asOf: number | undefined, values: unknown[]): string {
  const { lapse } = collectionOf(name)
  if (asOf === undefined || field !== lapse?.field) return orderColumn(field)
  const place = values.push(asOf, toOrder(lapse.becomes))
  return `CASE WHEN ${LAPSE} <= $${place - 1} THEN $${place} ELSE ${orderColumn(field)} END`
}
