type Pair = readonly [recorded: number | undefined, actual: number | undefined]

/** Markers around generated IDs. If entries differ only in such IDs, their order does not matter. */
export const GENERATED = ['⟦', '⟧'] as const
const drawn = new RegExp(`${GENERATED[0]}[^${GENERATED[1]}]*${GENERATED[1]}`, 'g')

/** Returns both lists with the IDs in each entry replaced, so that entries with equal text are the same entry. */
export type IdMapper = (recorded: readonly string[], actual: readonly string[]) => [string[], string[]]

export interface Alignment {
  pairs: Pair[]
  isMoved: boolean
}

/** Maximum number of comparisons, because comparing every entry with every other one takes quadratic time. */
const MOST_COMPARED = 100_000

/** Without `mapIds`, entries are paired only by position. */
export function alignLists(recorded: unknown[], actual: unknown[], mapIds?: IdMapper): Alignment {
  const byPlace = () => ({ pairs: placesOf([0, recorded.length], [0, actual.length]), isMoved: false })
  if (JSON.stringify(recorded) === JSON.stringify(actual)) return byPlace()
  const write = (toText: (entry: unknown) => string): [string[], string[]] => {
    const texts: [string[], string[]] = [recorded.map(toText), actual.map(toText)]
    return mapIds ? mapIds(...texts) : texts
  }
  const [before, after] = write(toStableText)
  // Entries also match if lists inside them are in a different order.
  const moved = findMoved(before, after) ?? (mapIds && findMoved(...write(toUnorderedText)))
  if (moved) return moved
  return mapIds && before.length * after.length <= MOST_COMPARED
    ? { pairs: pairInOrder(before, after), isMoved: false }
    : byPlace()
}

function findMoved(before: readonly string[], after: readonly string[]): Alignment | undefined {
  if (isSame(before, after)) return { pairs: placesOf([0, before.length], [0, after.length]), isMoved: false }
  if (before.length !== after.length || !isSame(before.toSorted(), after.toSorted())) return undefined
  const isByChance = isSame(before.map(withoutGenerated), after.map(withoutGenerated))
  return { pairs: pairMoved(before, after), isMoved: !isByChance }
}

const withoutGenerated = (text: string) => text.replace(drawn, '')

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((text, i) => text === other[i])

function pairMoved(before: readonly string[], after: readonly string[]): Pair[] {
  const places = new Map<string, number[]>()
  for (const [j, text] of after.entries()) places.set(text, [...(places.get(text) ?? []), j])
  return before.map((text, i) => [i, places.get(text)!.shift()])
}

function toStableText(value: unknown): string {
  return (
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'object' && each !== null && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
        : each,
    ) ?? ''
  )
}

function toUnorderedText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toUnorderedText).sort().join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const fields = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}:${toUnorderedText(each)}`)
  return `{${fields.sort().join()}}`
}

/** Minimum similarity, from 0 to 1. Less similar entries are treated as different entries. */
const LEAST_ALIKE = 0.3

function pairInOrder(before: readonly string[], after: readonly string[]): Pair[] {
  const [parts, others] = [before.map(toParts), after.map(toParts)]
  // A pair of equal entries outweighs any number of similar pairs.
  const equal = before.length + 1
  const aligned = align(before.length, after.length, (i, j) => {
    if (before[i] === after[j]) return equal
    const share = shareOf(parts[i]!, others[j]!)
    return share < LEAST_ALIKE ? 0 : share
  })
  const pairs: Pair[] = []
  let [i, j] = [0, 0]
  for (const [nextI, nextJ] of [...aligned, [before.length, after.length] as const]) {
    pairs.push(...pairGap([i, nextI], [j, nextJ]))
    if (nextI < before.length) pairs.push([nextI, nextJ])
    ;[i, j] = [nextI + 1, nextJ + 1]
  }
  return pairs
}

type Range = readonly [from: number, to: number]

/** Entries without a similar partner are paired by position if both lists have the same number of such entries. */
function pairGap([i, end]: Range, [j, otherEnd]: Range): Pair[] {
  if (end - i === otherEnd - j) return placesOf([i, end], [j, otherEnd])
  return [...placesOf([i, end], [j, j]), ...placesOf([i, i], [j, otherEnd])]
}

/** Finds the order-preserving pairing with the greatest total weight. */
function align(count: number, others: number, weigh: (i: number, j: number) => number): [number, number][] {
  const best = Array.from({ length: count + 1 }, () => new Float64Array(others + 1))
  const weights = Array.from({ length: count }, () => new Float64Array(others))
  for (let i = count - 1; i >= 0; i--) {
    for (let j = others - 1; j >= 0; j--) {
      const weight = weigh(i, j)
      weights[i]![j] = weight
      const paired = weight > 0 ? weight + best[i + 1]![j + 1]! : 0
      best[i]![j] = Math.max(best[i + 1]![j]!, best[i]![j + 1]!, paired)
    }
  }
  const pairs: [number, number][] = []
  for (let i = 0, j = 0; i < count && j < others; ) {
    const weight = weights[i]![j]!
    if (weight > 0 && best[i]![j] === weight + best[i + 1]![j + 1]!) pairs.push([i++, j++])
    else if (best[i + 1]![j]! >= best[i]![j + 1]!) i++
    else j++
  }
  return pairs
}

function placesOf([i, end]: Range, [j, otherEnd]: Range): Pair[] {
  const [count, others] = [end - i, otherEnd - j]
  return Array.from({ length: Math.max(count, others) }, (_, n) => [
    n < count ? i + n : undefined,
    n < others ? j + n : undefined,
  ])
}

const toParts = (text: string): string[] => text.split(/[,{}[\]]+/).filter(Boolean)

function shareOf(one: readonly string[], other: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const part of one) counts.set(part, (counts.get(part) ?? 0) + 1)
  let common = 0
  for (const part of other) {
    const left = counts.get(part) ?? 0
    if (left === 0) continue
    counts.set(part, left - 1)
    common++
  }
  return common / Math.max(one.length, other.length, 1)
}
