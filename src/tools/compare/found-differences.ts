import type { FoundDifference } from '#contract/records/control/comparison.ts'

/** A hostile upstream could differ in any number of places, so the list is bounded. */
const MOST_LISTED = 2000
const MOST_IN_STEPS = 10_000

/** Equal differences are counted once for the whole run, and once for each of the first steps that show them. */
export class FoundDifferences {
  readonly #whole = new Map<string, FoundDifference>()
  readonly #inSteps = new Map<string, FoundDifference>()
  #unlisted = 0

  get unlisted(): number {
    return this.#unlisted
  }

  get whole(): FoundDifference[] {
    return [...this.#whole.values()]
  }

  get inSteps(): FoundDifference[] {
    return [...this.#inSteps.values()]
  }

  /** Gives the key of the difference. */
  add(found: FoundDifference): string {
    const key = keyOf(found)
    const isListed = countIn(this.#whole, key, found, MOST_LISTED)
    if (isListed) countIn(this.#inSteps, keyInStep(found), found, MOST_IN_STEPS)
    else this.#unlisted++
    return key
  }
}

function countIn(counted: Map<string, FoundDifference>, key: string, found: FoundDifference, most: number): boolean {
  const known = counted.get(key)
  if (known) known.count++
  else if (counted.size < most) counted.set(key, { ...found })
  else return false
  return true
}

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
