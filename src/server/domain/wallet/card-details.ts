import {
  additionalInformation,
  cardLocation,
  classification,
  entriesOf,
  MAX_LOCATIONS_LENGTH,
} from '#contract/records/wallet/card-details.ts'
import { type CardFindings, cardFinding, findUnknownFields, toRecord } from './card-findings.ts'

/** Document 2, section 2: what allows no long content is not displayed when it is too long. The figures are ours. */
const DISPLAYED = { address: 200, name: 100, title: 100, content: 500, category: 50 }

/** The schema of locations cannot say these rules; `serialised` is their text as a card carries it. */
export function checkLocations(value: unknown, { warnings }: CardFindings, serialised: string): void {
  if (serialised.length > MAX_LOCATIONS_LENGTH) {
    const rule = `should have at most ${MAX_LOCATIONS_LENGTH} characters when serialised, not ${serialised.length}`
    warnings.push(cardFinding('LongText', 'locations', rule, 'our choice: card-warnings'))
  }
  entriesOf(value).forEach((entry, index) => {
    const path = `locations[${index}]`
    const location = toRecord(entry)
    warnings.push(...findUnknownFields(entry, cardLocation.shape, path))
    warnLongText(location, ['address', 'name'], path, warnings)
    const [absent, given] = 'lat' in location ? ['lng', 'lat'] : ['lat', 'lng']
    if (given in location && !(absent in location)) {
      const rule = `needs ${absent} beside ${given}, or the map shows nothing`
      warnings.push(cardFinding('LonelyCoordinate', path, rule, 'our choice: card-warnings'))
    }
  })
}

export function checkAdditionalInformation(value: unknown, { errors, warnings }: CardFindings): void {
  const { count, info } = toRecord(value)
  if (Number.isInteger(count) && Array.isArray(info) && count !== info.length) {
    const rule = `is the number of info entries: ${info.length}, not ${count}`
    errors.push(cardFinding('CountMismatch', 'additionalInformation.count', rule, INFORMATION_SOURCE))
  }
  warnings.push(...findUnknownFields(value, additionalInformation.shape, 'additionalInformation'))
  entriesOf(info).forEach((entry, index) => {
    const path = `additionalInformation.info[${index}]`
    warnings.push(...findUnknownFields(entry, additionalInformation.shape.info.element.shape, path))
    warnLongText(toRecord(entry), ['title'], path, warnings)
    entriesOf(toRecord(entry)['content']).forEach((text, line) => {
      warnLongText({ content: text }, ['content'], path, warnings, `content[${line}]`)
    })
  })
}

export function checkClassification(value: unknown, { warnings }: CardFindings): void {
  warnings.push(...findUnknownFields(value, classification.shape, 'classification'))
  entriesOf(toRecord(value)['person']).forEach((entry, index) => {
    const path = `classification.person[${index}]`
    warnings.push(...findUnknownFields(entry, classification.shape.person.element.shape, path))
    warnLongText(toRecord(entry), ['category'], path, warnings)
  })
}

const INFORMATION_SOURCE = 'document 2, section 2, additional information'

function warnLongText(
  fields: Readonly<Record<string, unknown>>,
  names: readonly (keyof typeof DISPLAYED)[],
  path: string,
  warnings: CardFindings['warnings'],
  label?: string,
): void {
  for (const name of names) {
    const text = fields[name]
    if (typeof text !== 'string' || text.length <= DISPLAYED[name]) continue
    const rule = `may not be displayed: it has more than ${DISPLAYED[name]} characters`
    warnings.push(
      cardFinding(
        'LongText',
        `${path}.${label ?? name}`,
        rule,
        `${INFORMATION_SOURCE}; the figure is our choice: card-warnings`,
      ),
    )
  }
}
