import { type Pair, pairInOrder, placesOf } from './ordered-pairs.ts'

/** Marks around an id that each side has drawn: entries that differ in nothing else are in order by chance. */
export const DRAWN = ['⟦', '⟧'] as const
const drawn = new RegExp(`${DRAWN[0]}[^${DRAWN[1]}]*${DRAWN[1]}`, 'g')

/** Both lists' entries, as text, as they look to whoever asks which are the same. */
export type Likeness = (recorded: readonly string[], actual: readonly string[]) => [string[], string[]]

export interface Alignment {
  pairs: Pair[]
  /** The same entries in another order. */
  isMoved: boolean
}

/** Entries that stand before and behind what is compared one by one with each other. */
const MOST_COMPARED = 1_000_000

/** Pairs the entries of two lists that are the same ones; without a likeness by their places alone. */
export function alignLists(recorded: unknown[], actual: unknown[], liken?: Likeness): Alignment {
  const byPlace = () => ({ pairs: placesOf([0, recorded.length], [0, actual.length]), isMoved: false })
  // Most lists of two servers are the same to the letter, which is told at once.
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

/** As JSON, whatever the order of fields. */
function toStableText(value: unknown): string {
  return (
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'object' && each !== null && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
        : each,
    ) ?? ''
  )
}
