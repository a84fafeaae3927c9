import { type Issue, writePath } from '#contract/records/issues.ts'

export interface CardFinding {
  code: CardErrorCode | CardWarningCode
  message: string
  /** A place in the card, such as `locations[3].lat`; empty for the card itself. */
  path: string
  /** The place as other findings tell it, such as `body.locations[3].lat`. */
  target: string
  source: string
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

export function cardFinding(code: CardFinding['code'], path: string, rule: string, source: string): CardFinding {
  const [name, target] = path === '' ? ['the card', 'body'] : [path, `body.${path}`]
  return { code, message: `${name} ${rule} (${source})`, path, target, source }
}

/**
 * A finding of a schema in one part of a card; ranges, lengths of inner lists and which number a text must hold are
 * ours, and of a barcode all but the value sets: the document shows no such object. The rest is the document's.
 */
export function toCardFinding({ code, path, rule }: Issue, part: string, source: string): CardFinding {
  const isInnerList = code === 'TooManyEntries' && path.length > 0
  const isFormOfCount = part === 'classification' && code === 'InvalidValue'
  const isOurs =
    code === 'OutOfRange' || isInnerList || isFormOfCount || (part === 'barcode' && code !== 'InvalidValue')
  return cardFinding(
    code,
    writePath(part, path),
    rule,
    isOurs ? (code === 'MissingField' ? 'our choice: card-required' : 'our choice: card-fields') : source,
  )
}

/** Unknown fields are accepted and warned of, since most are misspelt. */
export function findUnknownFields(value: unknown, shape: object, path: string): CardFinding[] {
  const rule = `is unknown and ignored; known are ${Object.keys(shape).join(', ')}`
  return Object.keys(toRecord(value))
    .filter((name) => !Object.hasOwn(shape, name))
    .map((name) => cardFinding('UnknownField', writePath(path, [name]), rule, 'our choice: card-fields'))
}

export function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
