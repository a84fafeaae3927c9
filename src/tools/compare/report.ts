import type { FoundDifference } from '../../contract/records/control/comparison.ts'

/** By this a difference of another run is the same one. */
export function keyOf(found: Pick<FoundDifference, 'operation' | 'kind' | 'place' | 'ours' | 'theirs'>): string {
  const { operation, kind, place, ours, theirs } = found
  // Of statuses and error codes each pair is a difference of its own.
  const values = kind === 'status' || kind === 'error' ? ` ${JSON.stringify([ours, theirs])}` : ''
  return `${operation} ${kind} ${place}${values}`
}
