import type { FoundDifference } from '../../contract/records/control/comparison.ts'

type Keyed = Pick<FoundDifference, 'operation' | 'kind' | 'place' | 'ours' | 'theirs'>

/** Differences of two runs with the same key are the same difference. */
export function keyOf(found: Keyed): string {
  const { operation, kind, place, ours, theirs } = found
  // Each pair of statuses or error codes is a difference of its own.
  const values = kind === 'status' || kind === 'error' ? ` ${JSON.stringify([ours, theirs])}` : ''
  return `${operation} ${kind} ${place}${values}`
}

/** A choice may end a difference in one step and begin the same in another, so trials are compared step by step. */
export const keyInStep = (found: Keyed & Pick<FoundDifference, 'step'>): string => `${found.step} ${keyOf(found)}`
