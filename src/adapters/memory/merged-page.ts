import type { Entry } from './kept-record.ts'
import type { SortedRecords } from './sorted-records.ts'

type Direction = 'asc' | 'desc'

/**
 * A page of several sorted lists as if they were one. What comes before it is skipped in great steps and not read, so
 * that a page far down costs about what the first one does.
 */
export function pageOfMany(
  lists: readonly SortedRecords[],
  sort: (records: readonly Entry[]) => Entry[],
  direction: Direction,
  offset: number,
  limit: number,
): Entry[] {
  const skipped = skip(lists, sort, direction, offset)
  const next = lists.flatMap((list, i) => list.slice(direction, skipped[i]!, limit))
  return sort(next).slice(0, limit)
}

/** How many records of each list belong to the first `offset` of all. */
function skip(
  lists: readonly SortedRecords[],
  sort: (records: readonly Entry[]) => Entry[],
  direction: Direction,
  offset: number,
): number[] {
  const skipped = lists.map(() => 0)
  let remaining = Math.min(
    offset,
    lists.reduce((sum, { size }) => sum + size, 0),
  )
  while (remaining > 0) {
    const open = lists.flatMap((list, i) => (skipped[i]! < list.size ? [i] : []))
    const share = Math.max(1, Math.floor(remaining / open.length))
    // Each list's record a share further on: what the first of these closes off is all before the page, since fewer
    // than a share of every other list can come before it.
    const steps = open.map((i) => {
      const step = Math.min(share, lists[i]!.size - skipped[i]!)
      return { i, step, record: lists[i]!.at(direction, skipped[i]! + step - 1)! }
    })
    const [first] = sort(steps.map(({ record }) => record))
    const { i, step } = steps.find(({ record }) => record === first)!
    skipped[i]! += step
    remaining -= step
  }
  return skipped
}
