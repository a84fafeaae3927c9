import type { Source } from '#contract/rules.ts'
import { DomainError } from '../domain/errors.ts'

/** SOAP 1.1, section 4.4.1: what is wrong with a message itself, before any operation is reached. */
export type SenderFault = 'Client' | 'VersionMismatch' | 'MustUnderstand'

export class SoapFault extends DomainError {
  readonly faultcode: SenderFault

  constructor(faultcode: SenderFault, message: string, source: Source) {
    super('malformed', message, { source })
    this.faultcode = faultcode
  }
}

export const notWellFormed = (message: string) => new SoapFault('Client', message, 'XML 1.0')

/** The message is XML, and over a bound or with what only an attacker sends. */
export const beyondBounds = (message: string) => new SoapFault('Client', message, 'our choice: soap-bounds')

/** The message is XML that we do not take: what SOAP forbids, or what only an attacker sends. */
export const notProperSoap = (message: string) => new SoapFault('Client', message, 'SOAP 1.1, section 4')
