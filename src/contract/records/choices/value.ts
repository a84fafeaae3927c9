import { z } from 'zod'
import { findNearest } from '../nearest.ts'

/** The first word is the default. */
export function oneOf<const Words extends readonly [string, ...string[]]>(
  ...words: Words
): z.ZodDefault<z.ZodType<Words[number]>> {
  const error = ({ input }: { input?: unknown }) => {
    const nearest = findNearest(String(input), words)
    return `must be ${words.join(' or ')}${nearest === undefined ? '' : `; the nearest is ${nearest}`}`
  }
  return z.enum(words, { error }).default(words[0] as never)
}

/** HTTP strips blanks at both ends, so such a value could never arrive. */
export function literals(fallback: string, ...taken: string[]): z.ZodDefault<z.ZodType<string[]>> {
  const literal = z
    .string()
    .max(100)
    .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be printable characters of ASCII')
    .refine((value) => !taken.includes(value), `must be none of ${taken.join(', ')}`)
  return z
    .preprocess((given) => (typeof given === 'string' ? [given] : given), z.array(literal).min(1).max(20))
    .describe('1 to 20 literals')
    .default([fallback])
}

export function wholeNumber(fallback: number, most: number): z.ZodDefault<z.ZodType<number>> {
  return z.int().min(1).max(most).describe(`1 to ${most}`).default(fallback)
}
