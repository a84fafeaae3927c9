import { findIssues } from '#contract/records/issues.ts'
import type { Source } from '#contract/rules.ts'
import { type Card, type CardVerdict, card } from '#contract/records/wallet/card.ts'
import {
  additionalInformation,
  anyLocations,
  cardLocation,
  classification,
  entriesOf,
  MAX_LOCATIONS,
  MAX_LOCATIONS_LENGTH,
} from '#contract/records/wallet/card-details.ts'
import { checkBarcode } from './card-barcodes.ts'
import {
  type CardFinding,
  cardFinding,
  findUnknownFields,
  type Shaped,
  toCardFinding,
  toRecord,
} from './card-findings.ts'

/** Document 2, section 2. Accepts any input, including parts as escaped strings, and never throws. */
export function checkCard(given: unknown): CardVerdict {
  const findings: CardVerdict = { errors: [], warnings: [] }
  const json = typeof given === 'string' ? readJson(given) : { value: given }
  if ('problem' in json) {
    findings.errors.push(cardFinding('InvalidJson', '', json.problem, 'our choice: card-fields'))
  } else if (typeof json.value !== 'object' || json.value === null || Array.isArray(json.value)) {
    findings.errors.push(cardFinding('InvalidType', '', 'must be an object', 'our choice: card-fields'))
  } else {
    for (const part of partNames) checkPart(part, toRecord(json.value)[part], findings)
    findings.warnings.push(...findUnknownFields(json.value, card, ''))
  }
  return findings
}

type PartName = keyof Card

/** Rules that the schemas cannot express. */
const parts: Record<
  PartName,
  { source: Source; checkRules: (value: unknown, findings: CardVerdict, serialised: string) => void }
> = {
  barcode: { source: 'document 2, section 2, barcode display types and formats', checkRules: checkBarcode },
  locations: { source: 'document 2, section 2, locations', checkRules: checkLocations },
  additionalInformation: {
    source: 'document 2, section 2, additional information',
    checkRules: checkAdditionalInformation,
  },
  classification: { source: 'document 2, section 2, classification', checkRules: checkClassification },
}
const partNames = Object.keys(parts) as PartName[]

/** Maximum number of characters in a part, which limits the number of findings and the time for validation. */
const MAX_PART_LENGTH = 16_384

function checkPart(name: PartName, given: unknown, findings: CardVerdict): void {
  if (isAbsent(given)) return
  const refuse = (code: string, rule: string) =>
    void findings.errors.push(cardFinding(code, name, rule, 'our choice: card-fields'))
  const serialised = typeof given === 'string' ? given : serialise(given)
  if (serialised === undefined) return refuse('InvalidJson', 'cannot be written as JSON')
  if (serialised.length > MAX_PART_LENGTH) return refuse('TooLong', `must have at most ${MAX_PART_LENGTH} characters`)
  const json = readJson(serialised)
  if ('problem' in json) return refuse('InvalidJson', json.problem)
  const { source, checkRules } = parts[name]
  const value =
    Array.isArray(json.value) && name === 'locations' ? json.value.map(withoutEmpty) : withoutEmpty(json.value)
  // If a list is too long, zod does not validate its entries, so they are validated separately.
  const entries = name === 'locations' && entriesOf(value).length > MAX_LOCATIONS ? findIssues(anyLocations, value) : []
  const issues = [...findIssues(card.shape[name], value), ...entries]
  findings.errors.push(...issues.map((issue) => toCardFinding(issue, name, source)))
  checkRules(value, findings, serialised)
}

function readJson(text: string): { value: unknown } | { problem: string } {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    const hint = text.includes('\\"') ? '; it may be escaped once too often' : ''
    return { problem: `is not valid JSON${hint}` }
  }
  return typeof value === 'string' ? { problem: 'is text inside JSON text: it is escaped once too often' } : { value }
}

function serialise(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    // The value cannot be serialized, because it has cycles, bigints or too many levels.
    return undefined
  }
}

/** Empty fields count as absent. The schema reports required fields that are absent. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, field]) => !isAbsent(field)))
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function checkLocations(value: unknown, { warnings }: CardVerdict, serialised: string): void {
  if (serialised.length > MAX_LOCATIONS_LENGTH) {
    const rule = `should have at most ${MAX_LOCATIONS_LENGTH} characters when serialised, not ${serialised.length}`
    warnings.push(cardFinding('LongText', 'locations', rule, 'our choice: card-warnings'))
  }
  for (const [i, entry] of entriesOf(value).entries()) {
    const path = `locations[${i}]`
    checkEntry(entry, cardLocation, path, warnings)
    const location = toRecord(entry)
    const [absent, given] = 'lat' in location ? ['lng', 'lat'] : ['lat', 'lng']
    if (given in location && !(absent in location)) {
      const rule = `needs ${absent} together with ${given}, otherwise the map shows nothing`
      warnings.push(cardFinding('LonelyCoordinate', path, rule, 'our choice: card-warnings'))
    }
  }
}

function checkAdditionalInformation(value: unknown, { errors, warnings }: CardVerdict): void {
  const { count, info } = toRecord(value)
  if (Number.isInteger(count) && Array.isArray(info) && count !== info.length) {
    const rule = `must be the number of info entries, ${info.length}, not ${count}`
    errors.push(cardFinding('CountMismatch', 'additionalInformation.count', rule, INFORMATION_SOURCE))
  }
  warnings.push(...findUnknownFields(value, additionalInformation, 'additionalInformation'))
  for (const [i, entry] of entriesOf(info).entries()) {
    const path = `additionalInformation.info[${i}]`
    checkEntry(entry, additionalInformation.shape.info.element, path, warnings)
    for (const [line, text] of entriesOf(toRecord(entry)['content']).entries()) {
      warnLongText(text, MAX_CONTENT, `${path}.content[${line}]`, warnings)
    }
  }
}

function checkClassification(value: unknown, { warnings }: CardVerdict): void {
  warnings.push(...findUnknownFields(value, classification, 'classification'))
  for (const [i, entry] of entriesOf(toRecord(value)['person']).entries()) {
    checkEntry(entry, classification.shape.person.element, `classification.person[${i}]`, warnings)
  }
}

const INFORMATION_SOURCE = 'document 2, section 2, additional information'

/** Document 2, section 2: fields that are too long are not displayed. The limits are unspecified. */
const DISPLAYED = { address: 200, name: 100, title: 100, category: 50 }
const MAX_CONTENT = 500

function checkEntry(entry: unknown, schema: Shaped, path: string, warnings: CardFinding[]): void {
  warnings.push(...findUnknownFields(entry, schema, path))
  for (const [name, most] of Object.entries(DISPLAYED)) {
    if (name in schema.shape) warnLongText(toRecord(entry)[name], most, `${path}.${name}`, warnings)
  }
}

function warnLongText(text: unknown, most: number, path: string, warnings: CardFinding[]): void {
  if (typeof text !== 'string' || text.length <= most) return
  const rule = `may not be displayed: it has more than ${most} characters`
  warnings.push(cardFinding('LongText', path, rule, 'our choice: card-warnings'))
}
