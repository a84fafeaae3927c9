import type { FoundDifference } from '../../../contract/records/control/comparison.ts'
import { changeBetween, type Choices, type Explanations, isHonest, type SearchOptions } from './attempts.ts'
import { keyInStep } from '../difference-key.ts'

/**
 * A choice that worked alone may fail beside the others, so all of them are tried together over the whole case, and
 * once without each: one that ends nothing, or begins more than another status had hidden, is neither kept nor told.
 */
export async function verifyChoices(
  found: Explanations,
  first: readonly FoundDifference[],
  { trial, fits, lastStep }: SearchOptions,
): Promise<Explanations> {
  const run = async (choices: Choices) =>
    Object.keys(choices).length === 0 ? first : (await trial(choices, lastStep)).differences
  let { choices } = found
  let after = await run(choices)
  let byKey = new Map<string, { id: string; value: unknown }>()
  for (const ids = Object.keys(choices).toReversed(); ids.length > 0; ) {
    const id = ids.shift()!
    const { [id]: value, ...others } = choices
    if (!fits(others)) continue
    const before = await run(others)
    const change = changeBetween(before, after)
    if (change.ended.length > 0 && isHonest(change)) {
      for (const each of change.ended) byKey.set(keyInStep(each), { id, value })
      continue
    }
    choices = others
    after = before
    byKey = new Map()
    // Each of the others was judged beside the one that is gone.
    ids.splice(0, ids.length, ...Object.keys(choices).toReversed())
  }
  for (const [key, each] of found.byKey) if (choices[each.id] !== undefined) byKey.set(key, each)
  const gone = new Set(changeBetween(first, after).ended.map(keyInStep))
  return { choices, byKey: new Map([...byKey].filter(([key]) => gone.has(key))) }
}
