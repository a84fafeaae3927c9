import type { z } from 'zod'

export interface CardFinding {
  code: CardErrorCode | CardWarningCode
  /** The rule, and in brackets where it comes from. */
  message: string
  /** Such as `locations[3].lat`. */
  path: string
}

export interface CardFindings {
  errors: CardFinding[]
  warnings: CardFinding[]
}

export type CardErrorCode =
  | 'MissingField'
  | 'InvalidType'
  | 'InvalidValue'
  | 'InvalidJson'
  | 'TooManyEntries'
  | 'TooLong'
  | 'OutOfRange'
  | 'CountMismatch'
  | 'NotStandAlone'
  | 'InvalidCharacter'
  | 'InvalidLength'
  | 'OddCount'
  | 'CheckDigit'

export type CardWarningCode =
  | 'UnknownField'
  | 'UnlikelyPair'
  | 'UnlikelyValue'
  | 'NotShown'
  | 'LonelyCoordinate'
  | 'LongText'

export const OUR_CHOICE = 'our choice'

export function cardFinding(code: CardFinding['code'], path: string, rule: string, source: string): CardFinding {
  return { code, message: `${path === '' ? 'the card' : path} ${rule} (${source})`, path }
}

/** What a schema found in one part of a card. */
export function toCardFinding(issue: z.core.$ZodIssue, part: string, source: string): CardFinding {
  const path = toPath(part, issue.path)
  const { input } = issue
  const empty = input === undefined || input === null || input === ''
  if (empty && issue.path.length > 0) return cardFinding('MissingField', path, 'is required', source)
  switch (issue.code) {
    case 'invalid_type':
      return cardFinding('InvalidType', path, `must be ${toNoun(issue.expected)}`, source)
    case 'invalid_value':
      return cardFinding('InvalidValue', path, `must be one of ${issue.values.join(', ')}`, source)
    case 'too_big':
      return issue.origin === 'array'
        ? cardFinding('TooManyEntries', path, `has at most ${issue.maximum} entries`, source)
        : cardFinding('OutOfRange', path, `must be at most ${issue.maximum}`, OUR_CHOICE)
    case 'too_small':
      return cardFinding('OutOfRange', path, `must be at least ${issue.minimum}`, OUR_CHOICE)
    default:
      return cardFinding('InvalidValue', path, issue.message, source)
  }
}

/** Fields that the documents do not know: taken, and most often a slip of the pen. */
export function findUnknownFields(value: unknown, shape: z.ZodRawShape, path: string): CardFinding[] {
  return Object.keys(toRecord(value))
    .filter((name) => !Object.hasOwn(shape, name))
    .map((name) => {
      const known = Object.keys(shape).join(', ')
      return cardFinding('UnknownField', toPath(path, [name]), `is unknown and ignored; known are ${known}`, OUR_CHOICE)
    })
}

/** `locations`, then 3, then `lat`, as `locations[3].lat`. */
export function toPath(part: string, keys: readonly PropertyKey[]): string {
  return keys.reduce<string>((path, key) => {
    if (typeof key === 'number') return `${path}[${key}]`
    return path === '' ? String(key) : `${path}.${String(key)}`
  }, part)
}

/** The fields of an object; none of anything else. */
export function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function toNoun(expected: string): string {
  const article = /^[aeio]/.test(expected) ? 'an' : 'a'
  return expected === 'int' ? 'a whole number' : `${article} ${expected}`
}
