import { type Pair, pairInOrder, placesOf } from './ordered-pairs.ts'

/** Entries that differ only in drawn ids, which stand between these marks, are in order by chance. */
export const DRAWN = ['⟦', '⟧'] as const
const drawn = new RegExp(`${DRAWN[0]}[^${DRAWN[1]}]*${DRAWN[1]}`, 'g')

/** Writes both lists' entries so that equal texts mean the same entry. */
export type Likeness = (recorded: readonly string[], actual: readonly string[]) => [string[], string[]]

export interface Alignment {
  pairs: Pair[]
  isMoved: boolean
}

/** Comparing each entry with each costs their product, so it is bounded. */
const MOST_COMPARED = 1_000_000

/** Without a likeness entries are paired by their places alone. */
export function alignLists(recorded: unknown[], actual: unknown[], liken?: Likeness): Alignment {
  const byPlace = () => ({ pairs: placesOf([0, recorded.length], [0, actual.length]), isMoved: false })
  // Most lists are equal to the letter, so that is tried first.
  if (JSON.stringify(recorded) === JSON.stringify(actual)) return byPlace()
  const texts = [recorded, actual].map((list) => list.map(toStableText)) as [string[], string[]]
  const [before, after] = liken ? liken(...texts) : texts
  if (isSame(before, after)) return byPlace()
  if (before.length === after.length && isSame(before.toSorted(), after.toSorted())) {
    const isByChance = isSame(before.map(withoutDrawn), after.map(withoutDrawn))
    return { pairs: pairMoved(before, after), isMoved: !isByChance }
  }
  return liken && before.length * after.length <= MOST_COMPARED
    ? { pairs: pairInOrder(before, after), isMoved: false }
    : byPlace()
}

const withoutDrawn = (text: string) => text.replace(drawn, '')

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((text, i) => text === other[i])

function pairMoved(before: readonly string[], after: readonly string[]): Pair[] {
  const places = new Map<string, number[]>()
  for (const [j, text] of after.entries()) places.set(text, [...(places.get(text) ?? []), j])
  return before.map((text, i) => [i, places.get(text)!.shift()])
}

/** The order of fields does not count. */
function toStableText(value: unknown): string {
  return (
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'object' && each !== null && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
        : each,
    ) ?? ''
  )
}
