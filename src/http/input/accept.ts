/**
 * Which of the types we can answer a client likes best, by its Accept header; the first of those it likes equally.
 * One that accepts none of them, or says nothing, gets the first.
 */
export function preferredType<T extends string>(accept: string | undefined, types: readonly [T, ...T[]]): T {
  const ranges = (accept ?? '').split(',').map(toRange)
  let best: T = types[0]
  let quality = 0
  for (const type of types) {
    const own = qualityOf(type, ranges)
    if (own > quality) [best, quality] = [type, own]
  }
  return best
}

interface MediaRange {
  type: string
  quality: number
}

function toRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

/** The most specific range that matches decides: `text/html` before a range of all text, before everything. */
function qualityOf(type: string, ranges: readonly MediaRange[]): number {
  for (const wanted of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const range = ranges.find((each) => each.type === wanted)
    if (range) return range.quality
  }
  return 0
}
