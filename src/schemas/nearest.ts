import { closest, distance } from 'fastest-levenshtein'

/** A longer name costs more to compare and is no typing mistake. */
const LONGEST = 100

/** The name that was probably meant: few letters away, or nothing. */
export function findNearest(given: string, names: readonly string[]): string | undefined {
  const text = given.slice(0, LONGEST)
  const best = closest(text, names)
  return best !== undefined && distance(text, best) <= Math.max(2, Math.floor(given.length / 3)) ? best : undefined
}

/** What a mistyped name comes nearest to, to be read after what is wrong with it; nothing where no name is known. */
export function sayNearest(name: string, known: readonly string[]): string {
  return known.length === 0 ? '' : `; the nearest is ${closest(name.slice(0, LONGEST), known)}`
}
