import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createCertificates } from '../../../src/adapters/certificates/certificates.ts'
import { DomainError } from '../../../src/domain/errors.ts'
import {
  checkSigningRequest,
  issueCertificate,
  readRequestFields,
} from '../../../src/domain/wallet/security-factors.ts'
import { isDomainName } from '../../../src/schemas/wallet/signing-request.ts'
import { createManualClock } from '../../helpers/manual-clock.ts'

const ports = { certificates: createCertificates(), clock: createManualClock('2026-05-06T16:00:00Z') }

const SUBJECT = '/C=US/ST=New Jersey/L=Ridgefield Park/O=Partner/OU=Wallet/CN=wallet.partner.example.com'
const WHOLE = `${SUBJECT}/emailAddress=ops@partner.example.com`

interface Options {
  /** What openssl makes the key from; without it, one of 2048 bits that the tests share. */
  newKey?: string[]
  digest?: string
  subject?: string
}

const sharedKey = await ports.certificates.newKey()

/** A request as openssl makes it. */
function opensslRequest({ newKey, digest = '-sha256', subject = WHOLE }: Options = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'shared'), sharedKey)
  const key = newKey ? ['-newkey', ...newKey, '-keyout', 'key', '-nodes'] : ['-key', 'shared']
  const args = ['req', '-new', ...key, digest, '-subj', subject]
  return execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

async function problemsOf(request: string) {
  const { errors, warnings } = await checkSigningRequest(ports, request)
  return { errors: errors.map(({ message }) => message), warnings: warnings.map(({ message }) => message) }
}

describe('a request that openssl made', () => {
  test('as document 2 wants it has nothing wrong and is signed', async () => {
    const request = opensslRequest()
    expect(await problemsOf(request)).toEqual({ errors: [], warnings: [] })
    const { certificate, authority } = await issueCertificate(ports, request)
    expect(certificate).toContain('BEGIN CERTIFICATE')
    expect(authority).not.toBe(certificate)
  })

  test.each<[string, Options, string[]]>([
    ['1024 bits', { newKey: ['rsa:1024'] }, ['key must have 2048 bits, not 1024']],
    ['4096 bits', { newKey: ['rsa:4096'] }, ['key must have 2048 bits, not 4096']],
    ['SHA-1', { digest: '-sha1' }, ['digest must be SHA-256, not SHA-1']],
    ['SHA-512', { digest: '-sha512' }, ['digest must be SHA-256, not SHA-512']],
    ['MD5', { digest: '-md5' }, ['digest must be SHA-256, not an unknown one']],
    [
      'an elliptic curve',
      { newKey: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'] },
      ['key must be an RSA key, not EC'],
    ],
    [
      'a country that is no letters',
      { subject: WHOLE.replace('C=US', 'C=1X') },
      ['subject.country must be two letters'],
    ],
    [
      'a country that is none',
      { subject: WHOLE.replace('C=US', 'C=ZZ') },
      ['subject.country must be an ISO 3166 country code'],
    ],
    ['no country', { subject: WHOLE.replace('/C=US', '') }, ['subject.country is required']],
    ['no common name', { subject: WHOLE.replace(/\/CN=[^/]+/, '') }, ['subject.commonName is required']],
    ['two common names', { subject: `${WHOLE}/CN=other.example.com` }, ['subject.commonName is given more than once']],
  ])('with %s is refused with that reason', async (_what, options, expected) => {
    const request = opensslRequest(options)
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
  ])('with the name %s is refused', async (name) => {
    const request = opensslRequest({ subject: WHOLE.replace('wallet.partner.example.com', name) })
    expect((await problemsOf(request)).errors).toEqual(['subject.commonName must be a fully qualified domain name'])
  })

  test('with several faults is refused with all of them', async () => {
    const request = opensslRequest({ newKey: ['rsa:1024'], digest: '-sha1', subject: '/C=ZZ/CN=localhost' })
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

  test('without the organization is signed with warnings', async () => {
    const request = opensslRequest({ subject: '/C=us/CN=wallet.partner.example.com' })
    const found = await problemsOf(request)
    expect([found.errors, found.warnings.length]).toEqual([[], 5])
    expect((await issueCertificate(ports, request)).certificate).toContain('BEGIN CERTIFICATE')
  })
})

test('what is no request is refused as such', async () => {
  const wrapped = '-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----'
  for (const text of ['', 'hello', wrapped]) {
    expect((await problemsOf(text)).errors).toEqual(['request is no certificate signing request (PEM, PKCS #10)'])
  }
})

test('the fields of a new request are judged together', () => {
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

test('a domain name is judged quickly, whatever it is', () => {
  expect(isDomainName(`${'a'.repeat(63)}.example.com`)).toBe(true)
  expect(isDomainName(`${'a'.repeat(64)}.example.com`)).toBe(false)
  expect(isDomainName('xn--9n2bp8q.example')).toBe(true)
  fc.assert(fc.property(fc.domain(), (name) => isDomainName(name)))
  fc.assert(fc.property(fc.string(), (name) => !isDomainName(`${name}..`)))
})
