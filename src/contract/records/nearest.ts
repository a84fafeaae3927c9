import { closest, distance } from 'fastest-levenshtein'

/** Maximum length of compared names. Longer names are truncated, because the comparison would take too long. */
const LONGEST = 100
const MAX_SUGGESTIONS = 12
const ROOM = 300

/**
 * Returns the name that differs only in case, or the most similar name if at most a third of the characters differ.
 * Swapped letters count once. Otherwise, returns the only name that starts with the given one or that the given one
 * starts with (`zip` and `zipCode`).
 */
export function findNearest(given: string, names: readonly string[]): string | undefined {
  const text = given.slice(0, LONGEST)
  const sameLetters = names.find((name) => name.toLowerCase() === text.toLowerCase())
  if (sameLetters !== undefined) return sameLetters
  const best = names.length === 0 ? undefined : closest(text, names)
  if (best === undefined) return undefined
  const isSwapped = sortLetters(text) === sortLetters(best)
  const changes = distance(text, best) - (isSwapped ? 1 : 0)
  if (changes <= Math.floor(Math.max(text.length, best.length) / 3)) return best
  const similar = names.filter((name) => startsWithOther(name, text))
  return similar.length === 1 ? similar[0] : undefined
}

const startsWithOther = (a: string, b: string) =>
  Math.min(a.length, b.length) > 2 && (a.startsWith(b) || b.startsWith(a))

const sortLetters = (text: string) => [...text].sort().join('')

/** Completes a message about a missing name. `unknown` are the names that were sent instead. */
export function describeIgnored(missing: string, unknown: readonly string[]): string {
  const near = findNearest(missing, unknown)
  return near === undefined ? '' : `, and ${near} is ignored`
}

/** Compares only the segments after the common prefix. */
export function findNearestPath(given: string, paths: readonly string[]): string | undefined {
  const path = given.slice(0, LONGEST)
  const best = paths.length === 0 ? undefined : closest(path, paths)
  if (best === undefined) return undefined
  const shared = lengthOfShared(path, best)
  return findNearest(path.slice(shared), [best.slice(shared)]) === undefined ? undefined : best
}

function lengthOfShared(path: string, other: string): number {
  let length = 0
  for (let i = 0; i < path.length && path[i] === other[i]; i++) if (path[i] === '/') length = i + 1
  return length
}

/** Completes a message about an unknown setting, option or argument. */
export function didYouMean(given: string, names: readonly string[]): string {
  const nearest = findNearest(given, names)
  return nearest === undefined ? '' : ` (did you mean ${nearest}?)`
}

/** Completes a message about an unknown name. If no name is similar, lists the known names or ends with `otherwise`. */
export function suggestNearest(name: string, known: readonly string[], otherwise?: string): string {
  const nearest = findNearest(name, known)
  if (nearest !== undefined) return `; the nearest is ${nearest}`
  return otherwise ?? (known.length === 0 ? '' : `; try ${listShortly(known)}`)
}

function listShortly(names: readonly string[]): string {
  const shown: string[] = []
  let room = ROOM
  for (const name of names.slice(0, MAX_SUGGESTIONS)) {
    room -= name.length
    if (room < 0 && shown.length > 0) break
    shown.push(name)
  }
  const left = names.length - shown.length
  return shown.join(', ') + (left > 0 ? ` and ${left} more` : '')
}
