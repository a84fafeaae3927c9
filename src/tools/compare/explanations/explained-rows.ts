import { type FoundDifference, UNEXPLAINED } from '../../../contract/records/control/comparison.ts'
import { keyInStep, keyOf } from '../difference-key.ts'
import type { Explanations } from './attempts.ts'

interface Explained extends Pick<Explanations, 'byKey'> {
  whole: readonly FoundDifference[]
  /** Only those of the steps that trials repeat. */
  inSteps: readonly FoundDifference[]
}

/** A choice may end a difference in some of its steps: these and the others are listed apart. */
export function explainRows({ whole, inSteps, byKey }: Explained): FoundDifference[] {
  const all = new Map<string, FoundDifference>()
  for (const each of whole) addTo(all, keyOf(each), each)
  const parts = new Map([...all.keys()].map((key) => [key, new Map<string, FoundDifference>()]))
  for (const each of inSteps) {
    const part = explainOne(each, byKey)
    addTo(parts.get(keyOf(each)), part.explanation, part)
  }
  return [...all].flatMap(([key, found]) => {
    const own = parts.get(key)!
    const rest = found.count - [...own.values()].reduce((sum, { count }) => sum + count, 0)
    // Steps without a trial are taken to be as those before them, if these are all alike.
    const [only = found] = own.values()
    const { explanation } = own.size === 1 ? only : found
    if (rest > 0) addTo(own, explanation, { ...found, count: rest })
    return [...own.values()]
  })
}

function explainOne(found: FoundDifference, byKey: Explanations['byKey']): FoundDifference {
  const { id, value } = byKey.get(keyInStep(found)) ?? {}
  return id === undefined ? { ...found, explanation: UNEXPLAINED } : { ...found, explanation: `choice: ${id}`, value }
}

function addTo(counted: Map<string, FoundDifference> | undefined, key: string, found: FoundDifference): void {
  const known = counted?.get(key)
  if (known) known.count += found.count
  else counted?.set(key, { ...found })
}
