import type { Ports } from '../../ports.ts'
import { type Finding, finding, invalidInput } from '../errors.ts'

export interface Address {
  city: string
  state: string
  zipCode: string
}

/** Our choice: city, state and zip must agree with the zip data; a finding says the right value. */
export function assertAddress({ zipCodes }: Pick<Ports, 'zipCodes'>, { city, state, zipCode }: Address): void {
  const place = zipCodes.find(zipCode.slice(0, 5))
  if (!place) throw invalidInput([finding('body.zipCode', `${zipCode} is not in use`)])
  const findings: Finding[] = []
  if (toCityKey(city) !== toCityKey(place.city)) {
    findings.push(finding('body.city', `must be ${place.city} for zip code ${place.zipCode}`))
  }
  if (state !== place.state)
    findings.push(finding('body.state', `must be ${place.state} for zip code ${place.zipCode}`))
  if (findings.length > 0) throw invalidInput(findings)
}

/** Letter case, dots, spaces and the usual short forms make no other city: St. Louis is Saint Louis. */
function toCityKey(city: string): string {
  const words = city
    .normalize('NFC')
    .toLowerCase()
    .replace(/[.']/g, '')
    .split(/[\s-]+/)
  return words
    .filter(Boolean)
    .map((word) => shortForms.get(word) ?? word)
    .join(' ')
}

const shortForms: ReadonlyMap<string, string> = new Map([
  ['saint', 'st'],
  ['sainte', 'ste'],
  ['fort', 'ft'],
  ['mount', 'mt'],
])
