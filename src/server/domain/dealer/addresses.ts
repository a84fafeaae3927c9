import type { Ports } from '../../ports.ts'
import { finding, invalidInput } from '../errors.ts'

export interface Address {
  state: string
  zipCode: string
}

const ruled = { source: 'our choice: address-check' } as const

/** Our choice: state and zip must agree with the zip data; the city may be any name, as people write Manhattan. */
export function assertAddress({ zipCodes }: Pick<Ports, 'zipCodes'>, { state, zipCode }: Address): void {
  const place = zipCodes.find(zipCode.slice(0, 5))
  if (!place) throw invalidInput([finding('body.zipCode', `${zipCode} is not in use`, ruled)])
  if (state === place.state) return
  throw invalidInput([finding('body.state', `must be ${place.state} for zip code ${place.zipCode}`, ruled)])
}
