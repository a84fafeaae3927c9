import { type Card, card } from '#contract/records/wallet/card.ts'
import { anyLocations, entriesOf, MAX_LOCATIONS } from '#contract/records/wallet/card-details.ts'
import { findIssues } from '#contract/records/issues.ts'
import { checkBarcode } from './card-barcodes.ts'
import { checkAdditionalInformation, checkClassification, checkLocations } from './card-details.ts'
import { type CardErrorCode, type CardFindings, cardFinding, findUnknownFields } from './card-findings.ts'
import { toCardFinding, toRecord } from './card-findings.ts'

/**
 * Everything that is wrong with a card (errors) or probably not meant (warnings): document 2, section 2. The card may
 * be JSON text; each of its parts is JSON or the escaped string that cards carry. Takes any input and never throws.
 */
export function checkCard(given: unknown): CardFindings {
  const findings: CardFindings = { errors: [], warnings: [] }
  const refuse = (code: CardErrorCode, rule: string) => {
    findings.errors.push(cardFinding(code, '', rule, 'our choice: card-fields'))
    return findings
  }
  const json = typeof given === 'string' ? readJson(given) : { value: given }
  if ('problem' in json) return refuse('InvalidJson', json.problem)
  const input = json.value
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return refuse('InvalidType', 'must be an object')
  for (const part of partNames) checkPart(part, toRecord(input)[part], findings)
  findings.warnings.push(...findUnknownFields(input, card.shape, ''))
  return findings
}

type PartName = keyof Card

/** Names the source of a part's rules, and checks what its schema cannot say. */
const parts: Record<
  PartName,
  { source: string; checkRules: (value: unknown, findings: CardFindings, serialised: string) => void }
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

/** Our choice: keeps the list of findings, and the time to make it, in proportion. */
const MAX_PART_LENGTH = 16_384

function checkPart(name: PartName, given: unknown, findings: CardFindings): void {
  if (isAbsent(given)) return
  const refuse = (code: CardErrorCode, rule: string) =>
    void findings.errors.push(cardFinding(code, name, rule, 'our choice: card-fields'))
  const serialised = typeof given === 'string' ? given : serialise(given)
  if (serialised === undefined) return refuse('InvalidJson', 'cannot be written as JSON')
  const tooLong = serialised.length > MAX_PART_LENGTH
  if (tooLong) return refuse('TooLong', `must have at most ${MAX_PART_LENGTH} characters`)
  const json = readJson(serialised)
  if ('problem' in json) return refuse('InvalidJson', json.problem)
  const { source, checkRules } = parts[name]
  const value =
    Array.isArray(json.value) && name === 'locations' ? json.value.map(withoutEmpty) : withoutEmpty(json.value)
  // zod looks at no entry of a list that is too long.
  const entries = name === 'locations' && entriesOf(value).length > MAX_LOCATIONS ? findIssues(anyLocations, value) : []
  const issues = [...findIssues(card.shape[name], value), ...entries]
  findings.errors.push(...issues.map((issue) => toCardFinding(issue, name, source)))
  checkRules(value, findings, serialised)
}

/** A JSON value goes through text as well, so that both forms are judged alike. */
function readJson(text: string): { value: unknown } | { problem: string } {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    const hint = text.includes('\\"') ? '; it looks escaped once too often' : ''
    return { problem: `is not valid JSON${hint}` }
  }
  return typeof value === 'string' ? { problem: 'is text inside JSON text: it is escaped once too often' } : { value }
}

function serialise(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    // A value may have cycles, big integers or endless nesting.
    return undefined
  }
}

/** Our choice: an empty optional field counts as absent; the schema reports the required ones. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, field]) => !isAbsent(field)))
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
