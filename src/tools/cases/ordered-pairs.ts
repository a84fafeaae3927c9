/** An entry without a partner stands in one list alone. */
export type Pair = readonly [recorded: number | undefined, actual: number | undefined]

/** Two entries with less in common are different entries. */
const LEAST_ALIKE = 0.3

/** Equal entries are paired first, then the most alike ones between them. */
export function pairInOrder(before: readonly string[], after: readonly string[]): Pair[] {
  const anchors = align(before.length, after.length, (i, j) => (before[i] === after[j] ? 1 : 0))
  const pairs: Pair[] = []
  let [i, j] = [0, 0]
  for (const [nextI, nextJ] of [...anchors, [before.length, after.length] as const]) {
    pairs.push(...pairGap([i, nextI], [j, nextJ], before, after))
    if (nextI < before.length) pairs.push([nextI, nextJ])
    ;[i, j] = [nextI + 1, nextJ + 1]
  }
  return pairs
}

type Range = readonly [from: number, to: number]

function pairGap(there: Range, here: Range, before: readonly string[], after: readonly string[]): Pair[] {
  const [count, others] = [there[1] - there[0], here[1] - here[0]]
  if (count === others || count === 0 || others === 0) return placesOf(there, here)
  const parts = [before.slice(...there), after.slice(...here)].map((list) => list.map(toParts))
  const alike = align(count, others, (i, j) => {
    const share = shareOf(parts[0]![i]!, parts[1]![j]!)
    return share < LEAST_ALIKE ? 0 : share
  })
  const paired = new Map<number, number>(alike)
  const taken = new Set(paired.values())
  const pairs: Pair[] = []
  let next = 0
  for (let i = 0; i < count; i++) {
    const j = paired.get(i)
    const further = j === undefined ? [] : range(next, j).filter((each) => !taken.has(each))
    pairs.push(...further.map((each): Pair => [undefined, here[0] + each]))
    pairs.push([there[0] + i, j === undefined ? undefined : here[0] + j])
    if (j !== undefined) next = j
  }
  const further = range(next, others).filter((each) => !taken.has(each))
  pairs.push(...further.map((each): Pair => [undefined, here[0] + each]))
  return pairs
}

/** Finds the ordered pairs whose weights add up to the most. */
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

export function placesOf([i, end]: Range, [j, otherEnd]: Range): Pair[] {
  const [count, others] = [end - i, otherEnd - j]
  return Array.from({ length: Math.max(count, others) }, (_, n) => [
    n < count ? i + n : undefined,
    n < others ? j + n : undefined,
  ])
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)

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
