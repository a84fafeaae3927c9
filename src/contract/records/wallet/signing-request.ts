import * as z from 'zod'
import { isCountryCode } from '../country-codes.ts'
import { matching } from '../formats.ts'

/** Requirements for keys: document 2, section 5, rule 4. */
export const KEY_BITS = 2048
export const DIGEST = 'SHA-256'
export const KNOWN_COUNTRY = 'must be an ISO 3166 country code'

const line = (max: number) => z.string().trim().min(1).max(max)

/** Document 2, section 5, rule 4. The maximum lengths are defined in X.520. */
export const requestFields = z.object({
  country: matching(/^[A-Za-z]{2}$/, { error: 'must be two letters', abort: true })
    .refine((code) => isCountryCode(code.toUpperCase()), KNOWN_COUNTRY)
    .meta({ description: 'Two-letter country code', example: 'US' }),
  state: line(128).meta({ description: 'State or province', example: 'New Jersey' }),
  locality: line(128).meta({ description: 'City', example: 'Ridgefield Park' }),
  organization: line(64).meta({ description: 'Organization', example: 'Example Partner Inc' }),
  unit: line(64).meta({ description: 'Organizational unit', example: 'Wallet' }),
  commonName: z.string().max(64).refine(isDomainName, 'must be a fully qualified domain name').meta({
    description: 'Fully qualified domain name of the partner (exact match)',
    example: 'wallet.partner.example.com',
  }),
  email: z
    .email('must be an e-mail address')
    .max(255)
    .meta({ description: 'Email address', example: 'ops@partner.example.com' }),
  challengePassword: line(64).optional().describe('Challenge password, optional'),
  companyName: line(64).optional().describe('Company name, optional'),
})
export type RequestFields = z.infer<typeof requestFields>

export type SubjectField = 'country' | 'state' | 'locality' | 'organization' | 'unit' | 'commonName' | 'email'

export interface SigningRequest {
  /** `RSA`, `EC`, `ED25519`, or the name of another algorithm. */
  keyAlgorithm: string
  /** Size of the modulus in bits. Undefined if the algorithm is not RSA. */
  keyBits: number | undefined
  /** Undefined if the signature algorithm is unknown or has no digest. */
  digest: string | undefined
  signatureValid: boolean | undefined
  subject: Readonly<Record<SubjectField, readonly string[]>>
}

export const signedCertificate = z.object({
  certificate: z.string().describe('Certificate (PEM)'),
  authority: z.string().describe('Certificate of the signing authority (PEM)'),
})
export type SignedCertificate = z.infer<typeof signedCertificate>

/** The last label must contain a letter, so that IP addresses are rejected. */
export function isDomainName(name: string): boolean {
  const labels = name.split('.')
  const wellFormed = labels.every(
    (label) => /^[a-z0-9-]{1,63}$/i.test(label) && !label.startsWith('-') && !label.endsWith('-'),
  )
  return wellFormed && labels.length >= 2 && name.length <= 253 && /[a-z]/i.test(labels.at(-1)!)
}
