import { closest } from 'fastest-levenshtein'

/** A longer name costs more to compare and is no typing mistake. */
const LONGEST = 100

/** What a mistyped name comes nearest to, to be read after what is wrong with it; nothing where no name is known. */
export function sayNearest(name: string, known: readonly string[]): string {
  return known.length === 0 ? '' : `; the nearest is ${closest(name.slice(0, LONGEST), known)}`
}
