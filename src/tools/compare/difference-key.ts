import type { FoundDifference } from '../../contract/records/control/comparison.ts'

/** Differences of two runs with the same key are the same difference. */
export function keyOf(found: Pick<FoundDifference, 'operation' | 'kind' | 'place' | 'ours' | 'theirs'>): string {
  const { operation, kind, place, ours, theirs } = found
  // Each pair of statuses or error codes is a difference of its own.
  const values = kind === 'status' || kind === 'error' ? ` ${JSON.stringify([ours, theirs])}` : ''
  return `${operation} ${kind} ${place}${values}`
}
