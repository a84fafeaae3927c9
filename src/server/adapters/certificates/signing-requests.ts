import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { JsonName, Pkcs10CertificateRequest } from '@peculiar/x509'
import { UnusableKey } from '#server/ports/failures.ts'
import {
  KEY_BITS,
  type RequestFields,
  type SigningRequest,
  type SubjectField,
} from '#contract/records/wallet/signing-request.ts'
import { loadX509, RSA_SHA256, toKeyPair } from './x509.ts'

/** Maximum length in characters (our choice). A request for a 2,048-bit RSA key has about 1,200 characters. */
const MAX_LENGTH = 65_536

const COMPANY_NAME = '1.2.840.113549.1.9.2'

const subjectTypes: Record<SubjectField, { name: string; id: string }> = {
  country: { name: 'C', id: '2.5.4.6' },
  state: { name: 'ST', id: '2.5.4.8' },
  locality: { name: 'L', id: '2.5.4.7' },
  organization: { name: 'O', id: '2.5.4.10' },
  unit: { name: 'OU', id: '2.5.4.11' },
  commonName: { name: 'CN', id: '2.5.4.3' },
  email: { name: 'E', id: '1.2.840.113549.1.9.1' },
}
const subjectFields = Object.keys(subjectTypes) as SubjectField[]

export async function makeRequest(
  key: { pem: string; passphrase?: string | undefined },
  fields: RequestFields,
): Promise<string> {
  const keys = await toKeyPair(requireKey(key))
  const x509 = await loadX509()
  const { AsnUtf8StringConverter } = await import('@peculiar/asn1-schema')
  const { challengePassword, companyName } = fields
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: subjectFields.map((field) => ({ [subjectTypes[field].name]: [fields[field]] })) satisfies JsonName,
    keys,
    signingAlgorithm: RSA_SHA256,
    attributes: [
      ...(challengePassword ? [new x509.ChallengePasswordAttribute(challengePassword)] : []),
      ...(companyName ? [new x509.Attribute(COMPANY_NAME, [AsnUtf8StringConverter.toASN(companyName).toBER()])] : []),
    ],
  })
  return `${request.toString('pem')}\n`
}

export async function readRequest(text: string): Promise<SigningRequest | undefined> {
  const request = await findRequest(text)
  if (!request) return undefined
  try {
    const key = createPublicKey({ key: Buffer.from(request.publicKey.rawData), format: 'der', type: 'spki' })
    const { hash } = request.signatureAlgorithm as { hash?: { name: string } }
    const subject = subjectFields.map((field) => [field, request.subjectName.getField(subjectTypes[field].id)])
    return {
      keyAlgorithm: key.asymmetricKeyType?.toUpperCase() ?? 'unknown',
      keyBits: key.asymmetricKeyDetails?.modulusLength,
      digest: hash?.name,
      signatureValid: hash && (await request.verify().catch(() => false)),
      subject: Object.fromEntries(subject) as SigningRequest['subject'],
    }
  } catch {
    return undefined
  }
}

/** openssl may print a description of the request before it. */
export async function findRequest(text: string): Promise<Pkcs10CertificateRequest | undefined> {
  if (text.length > MAX_LENGTH) return undefined
  const pem =
    /-----BEGIN (NEW )?CERTIFICATE REQUEST-----[A-Za-z0-9+/=\s]*-----END (NEW )?CERTIFICATE REQUEST-----/.exec(text)
  if (!pem) return undefined
  const { Pkcs10CertificateRequest } = await loadX509()
  try {
    return new Pkcs10CertificateRequest(pem[0].replaceAll('NEW ', ''))
  } catch {
    return undefined
  }
}

function requireKey({ pem, passphrase }: { pem: string; passphrase?: string | undefined }): KeyObject {
  const key = parseKey(pem, passphrase)
  const { modulusLength } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'rsa' && modulusLength === KEY_BITS) return key
  throw new UnusableKey(`the key must be an RSA key of ${KEY_BITS} bits`)
}

function parseKey(pem: string, passphrase: string | undefined): KeyObject {
  // Without a passphrase, Node would report a different error than for a wrong one.
  const encrypted = /ENCRYPTED/.test(pem)
  try {
    return createPrivateKey({ key: pem, ...(encrypted && { passphrase: passphrase ?? '' }) })
  } catch (cause) {
    const reason = encrypted ? 'the passphrase is missing or wrong' : 'it is not a private key in PEM format'
    throw new UnusableKey(`the key cannot be read: ${reason}`, { cause })
  }
}
