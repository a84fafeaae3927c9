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
  const write = (toText: (entry: unknown) => string): [string[], string[]] => {
    const texts: [string[], string[]] = [recorded.map(toText), actual.map(toText)]
    return liken ? liken(...texts) : texts
  }
  const [before, after] = write(toStableText)
  // Where lists within the entries are in another order too, entries are still the same.
  const moved = findMoved(before, after) ?? (liken && findMoved(...write(toUnorderedText)))
  if (moved) return moved
  return liken && before.length * after.length <= MOST_COMPARED
    ? { pairs: pairInOrder(before, after), isMoved: false }
    : byPlace()
}

/** Gives nothing for lists whose entries are not the same. */
function findMoved(before: readonly string[], after: readonly string[]): Alignment | undefined {
  if (isSame(before, after)) return { pairs: placesOf([0, before.length], [0, after.length]), isMoved: false }
  if (before.length !== after.length || !isSame(before.toSorted(), after.toSorted())) return undefined
  const isByChance = isSame(before.map(withoutDrawn), after.map(withoutDrawn))
  return { pairs: pairMoved(before, after), isMoved: !isByChance }
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

/** Neither the order of fields counts nor that of the lists within. */
function toUnorderedText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toUnorderedText).sort().join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const fields = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}:${toUnorderedText(each)}`)
  return `{${fields.sort().join()}}`
}
