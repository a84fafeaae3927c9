import { z } from 'zod'
import { findNearest } from '../nearest.ts'

/** One of a few words, the first of them unless told. */
export function oneOf<const Words extends readonly [string, ...string[]]>(...words: Words) {
  const error = ({ input }: { input?: unknown }) => {
    const nearest = findNearest(String(input), words)
    return `must be ${words.join(' or ')}${nearest === undefined ? '' : `; the nearest is ${nearest}`}`
  }
  return z.enum(words, { error }).default(words[0] as never)
}

export function wholeNumber(fallback: number, most: number) {
  return z.int().min(1).max(most).describe(`1 to ${most}`).default(fallback)
}
