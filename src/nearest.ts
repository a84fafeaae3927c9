import { closest, distance } from 'fastest-levenshtein'

/** The name that was probably meant: few letters away, or nothing. */
export function findNearest(given: string, names: readonly string[]): string | undefined {
  const text = given.slice(0, 50)
  const best = closest(text, names)
  return best !== undefined && distance(text, best) <= Math.max(2, Math.floor(given.length / 3)) ? best : undefined
}
