import { type Issue, writePath } from '#contract/records/issues.ts'
import type { CardVerdict } from '#contract/records/wallet/card.ts'
import type { Source } from '#contract/rules.ts'

export type CardFinding = CardVerdict['errors'][number]

export function cardFinding(code: string, path: string, rule: string, source: Source): CardFinding {
  const [name, target] = path === '' ? ['the card', 'body'] : [path, `body.${path}`]
  return { code, message: `${name} ${rule}`, path, target, source }
}

/** Cites the document if it defines the rule, and otherwise a choice, as for most barcode rules. */
export function toCardFinding({ code, path, rule }: Issue, part: string, source: Source): CardFinding {
  const isInnerList = code === 'TooManyEntries' && path.length > 0
  const isFormOfCount = part === 'classification' && code === 'InvalidValue'
  const isOurs =
    code === 'OutOfRange' || isInnerList || isFormOfCount || (part === 'barcode' && code !== 'InvalidValue')
  const ours = code === 'MissingField' ? 'our choice: card-required' : 'our choice: card-fields'
  return cardFinding(code, writePath(part, path), rule, isOurs ? ours : source)
}

export interface Shaped {
  readonly shape: object
}

/** Unknown fields cause warnings, because most of them are misspelled. */
export function findUnknownFields(value: unknown, { shape }: Shaped, path: string): CardFinding[] {
  const rule = `is unknown and ignored; valid names are ${Object.keys(shape).join(', ')}`
  return Object.keys(toRecord(value))
    .filter((name) => !Object.hasOwn(shape, name))
    .map((name) => cardFinding('UnknownField', writePath(path, [name]), rule, 'our choice: card-fields'))
}

export function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
