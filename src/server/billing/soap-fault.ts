import type { Source } from '#contract/rules.ts'
import { DomainError } from '../domain/errors.ts'

/** SOAP 1.1, section 4.4.1: errors in the message itself, which are detected before any operation runs. */
export type SenderFault = 'Client' | 'VersionMismatch' | 'MustUnderstand'

export class SoapFault extends DomainError {
  readonly faultcode: SenderFault

  constructor(faultcode: SenderFault, message: string, source: Source) {
    super('malformed', message, { source })
    this.faultcode = faultcode
  }
}

export const notWellFormed = (message: string) => new SoapFault('Client', message, 'XML 1.0')

/** Error for valid XML that exceeds a limit or contains something that only an attacker would send. */
export const beyondBounds = (message: string) => new SoapFault('Client', message, 'our choice: soap-bounds')

/** Error for valid XML that is not a valid SOAP message. */
export const notProperSoap = (message: string) => new SoapFault('Client', message, 'SOAP 1.1, section 4')
