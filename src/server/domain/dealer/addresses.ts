import type { Ports } from '#server/ports.ts'
import { finding, invalidInput } from '../errors.ts'

export interface Address {
  city: string
  state: string
  zipCode: string
}

const ruled = { source: 'our choice: address-check' } as const

/**
 * Our choice: state and zip must agree with the zip data; the city may be any name, as people write Manhattan, unless
 * the world is told to look at it too.
 */
export function assertAddress(
  { zipCodes, world: { choices } }: Pick<Ports, 'zipCodes' | 'world'>,
  { city, state, zipCode }: Address,
): void {
  const check = choices['address-check']
  if (check === 'off') return

  const place = zipCodes.find(zipCode.slice(0, 5))
  if (!place) throw invalidInput([finding('body.zipCode', `${zipCode} is not in use`, ruled)])
  const of = `for zip code ${place.zipCode}`
  const isOther = check === 'city' && city.toLowerCase() !== place.city.toLowerCase()
  const findings = [
    ...(state === place.state ? [] : [finding('body.state', `must be ${place.state} ${of}`, ruled)]),
    ...(isOther ? [finding('body.city', `must be ${place.city} ${of}`, ruled)] : []),
  ]
  if (findings.length > 0) throw invalidInput(findings)
}
