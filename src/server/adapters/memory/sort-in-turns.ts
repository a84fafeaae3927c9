import { nodeTurns } from '../node/turns.ts'
import { compareValues, sorted, type Stored } from '../record.ts'

/** So many are sorted at once. */
const RUN = 2048

/** In the order of a field, equal values by key; the event loop goes on meanwhile. */
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
  const merged: Stored[] = []
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const [left, right] = [a[i], b[j]]
    const isLeft =
      left && (!right || (compareValues(left[field], right[field]) || compareValues(left[key], right[key])) < 0)
    merged.push(isLeft ? left : right!)
    if (isLeft) i++
    else j++
    if (merged.length % RUN === 0) await nodeTurns.give()
  }
  return merged
}
