import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCertificates } from '../../../../src/server/adapters/certificates/certificates.ts'
import { DomainError } from '../../../../src/server/domain/errors.ts'
import {
  checkSigningRequest,
  issueCertificate,
  readRequestFields,
} from '../../../../src/server/domain/wallet/security-factors.ts'
import { isDomainName } from '../../../../src/contract/records/wallet/signing-request.ts'
import { createManualClock } from '../../../helpers/manual-clock.ts'
import {
  makeEllipticRequest,
  makeSigningRequest,
  type RequestOptions,
} from '../../../helpers/documents/signing-request.ts'

const ports = { certificates: createCertificates(), clock: createManualClock('2026-05-06T16:00:00Z') }

const SUBJECT = '/C=US/ST=New Jersey/L=Ridgefield Park/O=Partner/OU=Wallet/CN=wallet.partner.example.com'
const WHOLE = `${SUBJECT}/emailAddress=ops@partner.example.com`

/** A 2048-bit RSA key that the tests share. */
const sharedKey = await ports.certificates.newKey()

function rsaKey(modulusLength: number): string {
  const pem = { type: 'pkcs8', format: 'pem' } as const
  const spki = { type: 'spki', format: 'pem' } as const
  return generateKeyPairSync('rsa', { modulusLength, privateKeyEncoding: pem, publicKeyEncoding: spki }).privateKey
}

const requestOf = (options: Partial<RequestOptions> = {}) =>
  makeSigningRequest({ key: sharedKey, subject: WHOLE, ...options })

async function problemsOf(request: string) {
  const { errors, warnings } = await checkSigningRequest(ports, request)
  return { errors: errors.map(({ message }) => message), warnings: warnings.map(({ message }) => message) }
}

describe('a signing request created by another program', () => {
  test('a signing request that satisfies document 2 has no errors and gets a certificate', async () => {
    const request = requestOf()
    expect(await problemsOf(request)).toEqual({ errors: [], warnings: [] })
    const { certificate, authority } = await issueCertificate(ports, request)
    expect(certificate).toContain('BEGIN CERTIFICATE')
    expect(authority).not.toBe(certificate)
  })

  test.each<[string, () => string | Promise<string>, string[]]>([
    ['a key of 1024 bits', () => requestOf({ key: rsaKey(1024) }), ['key must have 2048 bits, not 1024']],
    ['a key of 3072 bits', () => requestOf({ key: rsaKey(3072) }), ['key must have 2048 bits, not 3072']],
    ['SHA-1', () => requestOf({ digest: 'sha1' }), ['digest must be SHA-256, not SHA-1']],
    ['SHA-512', () => requestOf({ digest: 'sha512' }), ['digest must be SHA-256, not SHA-512']],
    ['MD5', () => requestOf({ digest: 'md5' }), ['digest must be SHA-256, not an unknown one']],
    ['an elliptic-curve key', () => makeEllipticRequest(WHOLE), ['key must be an RSA key, not EC']],
    [
      'a country that does not consist of letters',
      () => requestOf({ subject: WHOLE.replace('C=US', 'C=1X') }),
      ['subject.country must be two letters'],
    ],
    [
      'an unknown country code',
      () => requestOf({ subject: WHOLE.replace('C=US', 'C=ZZ') }),
      ['subject.country must be an ISO 3166 country code'],
    ],
    ['no country', () => requestOf({ subject: WHOLE.replace('/C=US', '') }), ['subject.country is required']],
    [
      'no common name',
      () => requestOf({ subject: WHOLE.replace(/\/CN=[^/]+/, '') }),
      ['subject.commonName is required'],
    ],
    [
      'two common names',
      () => requestOf({ subject: `${WHOLE}/CN=other.example.com` }),
      ['subject.commonName is given more than once'],
    ],
  ])('a signing request with %s is rejected with the reason', async (_what, make, expected) => {
    const request = await make()
    expect((await problemsOf(request)).errors).toEqual(expected)
    await expect(issueCertificate(ports, request)).rejects.toBeInstanceOf(DomainError)
  })

  test.each([
    'localhost',
    '*.example.com',
    '10.0.0.1',
    'https:example.com',
    'example.com.',
    '-a.example.com',
    'Our Name',
  ])('a signing request with the common name %s is rejected', async (name) => {
    const request = requestOf({ subject: WHOLE.replace('wallet.partner.example.com', name) })
    expect((await problemsOf(request)).errors).toEqual(['subject.commonName must be a fully qualified domain name'])
  })

  test('a signing request with several errors is rejected with all of them', async () => {
    const request = requestOf({ key: rsaKey(1024), digest: 'sha1', subject: '/C=ZZ/CN=localhost' })
    const found = await problemsOf(request)
    expect(found.errors).toEqual([
      'key must have 2048 bits, not 1024',
      'digest must be SHA-256, not SHA-1',
      'subject.country must be an ISO 3166 country code',
      'subject.commonName must be a fully qualified domain name',
    ])
    expect(found.warnings).toEqual(
      ['state', 'locality', 'organization', 'unit', 'email'].map((field) => `subject.${field} is required`),
    )
    await expect(issueCertificate(ports, request)).rejects.toMatchObject({
      code: 'invalid-input',
      findings: { length: 4 },
    })
  })

  test('a signing request without an organization gets a certificate, and the check returns warnings', async () => {
    const request = requestOf({ subject: '/C=us/CN=wallet.partner.example.com' })
    const found = await problemsOf(request)
    expect([found.errors, found.warnings.length]).toEqual([[], 5])
    expect((await issueCertificate(ports, request)).certificate).toContain('BEGIN CERTIFICATE')
  })
})

test('text that is not a signing request is rejected with a message that says so', async () => {
  const wrapped = '-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----'
  for (const text of ['', 'hello', wrapped]) {
    expect((await problemsOf(text)).errors).toEqual(['request is not a certificate signing request (PEM, PKCS #10)'])
  }
})

test('all fields for a new signing request are validated and all errors are returned', () => {
  const fields = { country: 'USA', commonName: 'localhost', email: 'nobody', state: '', unit: 'x'.repeat(65) }
  const result = readRequestFields(fields)
  expect('errors' in result && result.errors.map(({ target }) => target)).toEqual([
    'country',
    'state',
    'locality',
    'organization',
    'unit',
    'commonName',
    'email',
  ])
})

test('domain names are validated correctly, including names with non-ASCII characters in Punycode', () => {
  expect(isDomainName(`${'a'.repeat(63)}.example.com`)).toBe(true)
  expect(isDomainName(`${'a'.repeat(64)}.example.com`)).toBe(false)
  expect(isDomainName('xn--9n2bp8q.example')).toBe(true)
  fc.assert(fc.property(fc.domain(), (name) => isDomainName(name)))
  fc.assert(fc.property(fc.string(), (name) => !isDomainName(`${name}..`)))
})
