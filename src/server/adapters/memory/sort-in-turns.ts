import { nodeTurns } from '../node/turns.ts'
import { compareValues, sorted, type Stored, readField } from '../record.ts'

/** A run of this size is sorted without giving way. */
const RUN = 2048

/** The event loop goes on meanwhile. Equal values stand in the order of keys. */
export async function sortInTurns(records: readonly Stored[], field: string, key: string): Promise<readonly Stored[]> {
  const runs: (readonly Stored[])[] = []
  for (let i = 0; i < records.length; i += RUN) {
    runs.push(sorted(records.slice(i, i + RUN), field, key, 'asc'))
    await nodeTurns.give()
  }
  while (runs.length > 1) {
    const [a, b] = runs.splice(0, 2)
    runs.push(await merge(a!, b!, field, key))
  }
  return runs[0] ?? []
}

async function merge(a: readonly Stored[], b: readonly Stored[], field: string, key: string): Promise<Stored[]> {
  const comesFirst = (left: Stored, right: Stored) =>
    (compareValues(readField(left, field), readField(right, field)) || compareValues(left[key], right[key])) < 0
  const merged: Stored[] = []
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const [left, right] = [a[i], b[j]]
    const isLeft = left && (!right || comesFirst(left, right))
    merged.push(isLeft ? left : right!)
    if (isLeft) i++
    else j++
    if (merged.length % RUN === 0) await nodeTurns.give()
  }
  return merged
}
