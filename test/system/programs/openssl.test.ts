import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCertificates } from '../../../src/server/adapters/certificates/certificates.ts'
import { checkSigningRequest } from '../../../src/server/domain/wallet/security-factors.ts'
import type { RequestFields } from '../../../src/contract/records/wallet/signing-request.ts'
import { createManualClock } from '../../helpers/manual-clock.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { requirePrograms } from './programs.ts'

requirePrograms('openssl')

const NOW = Date.parse('2026-05-06T16:00:00Z')
const ports = { certificates: createCertificates(), clock: createManualClock('2026-05-06T16:00:00Z') }

const fields: RequestFields = {
  country: 'US',
  state: 'New Jersey',
  locality: 'Ridgefield Park',
  organization: 'Partner & Söhne',
  unit: 'Wallet',
  commonName: 'wallet.partner.example.com',
  email: 'ops@partner.example.com',
}
const SUBJECT =
  '/C=US/ST=New Jersey/L=Ridgefield Park/O=Partner/OU=Wallet/CN=wallet.partner.example.com/emailAddress=ops@example.com'

function openssl(args: string[], files: Record<string, string> = {}): string {
  const folder = makeTemporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

test('openssl accepts a generated key, and opens an encrypted key only with its passphrase', async () => {
  const text = openssl(['rsa', '-in', 'key', '-check', '-noout', '-text'], { key: await ports.certificates.newKey() })
  expect(text).toContain('2048 bit')
  expect(text).toContain('RSA key ok')
  const key = await ports.certificates.newKey('open sesame')
  const open = (word: string) => openssl(['rsa', '-in', 'key', '-check', '-noout', '-passin', `pass:${word}`], { key })
  expect(open('open sesame')).toContain('RSA key ok')
  expect(() => open('wrong')).toThrow('Command failed')
})

test('openssl verifies a generated signing request and reads every field', async () => {
  const pem = await ports.certificates.newKey()
  const extras = { challengePassword: 'sesame', companyName: 'Partner Söhne' }
  const request = await ports.certificates.newRequest({ pem }, { ...fields, ...extras })
  expect(openssl(['req', '-in', 'r', '-verify', '-noout', '-pubkey'], { r: request })).toBe(
    openssl(['pkey', '-in', 'k', '-pubout'], { k: pem }),
  )
  const text = openssl(['req', '-in', 'r', '-noout', '-text', '-nameopt', 'oneline,utf8,-esc_msb'], { r: request })
  for (const value of Object.values(fields)) expect(text).toContain(value)
  expect(text).toContain('sha256WithRSAEncryption')
  expect(text).toMatch(/challengePassword\s*:\s*sesame/)
  expect(text).toMatch(/unstructuredName\s*:\s*Partner/)
})

test('openssl strictly verifies an issued certificate and reads its subject', async () => {
  const pem = await ports.certificates.newKey()
  const request = await ports.certificates.newRequest({ pem }, fields)
  const { certificate, authority } = await ports.certificates.sign(request, NOW)
  const args = ['verify', '-x509_strict', '-attime', String(NOW / 1000 + 60), '-CAfile', 'ca', 'leaf']
  expect(openssl(args, { ca: authority, leaf: certificate })).toContain('leaf: OK')
  expect(openssl(['x509', '-in', 'c', '-pubkey', '-noout'], { c: certificate })).toBe(
    openssl(['pkey', '-in', 'k', '-pubout'], { k: pem }),
  )
  const text = openssl(['x509', '-in', 'c', '-noout', '-text'], { c: certificate })
  for (const each of ['DNS:wallet.partner.example.com', 'sha256WithRSAEncryption', 'CA:FALSE'])
    expect(text).toContain(each)
  expect(text).toMatch(/CN\s*=\s*wallet\.partner\.example\.com/)
  expect(text).toContain('Not After : May  6 16:00:00 2027 GMT')
})

test.each([
  ['no errors', ['rsa:2048'], '-sha256', SUBJECT, []],
  ['a short key', ['rsa:1024'], '-sha256', SUBJECT, ['key must have 2048 bits, not 1024']],
  ['SHA-512', ['rsa:2048'], '-sha512', SUBJECT, ['digest must be SHA-256, not SHA-512']],
  ['MD5', ['rsa:2048'], '-md5', SUBJECT, ['digest must be SHA-256, not an unknown one']],
  [
    'an elliptic curve',
    ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
    '-sha256',
    SUBJECT,
    ['key must be an RSA key, not EC'],
  ],
  ['no country', ['rsa:2048'], '-sha256', SUBJECT.replace('/C=US', ''), ['subject.country is required']],
])(
  'a signing request made by openssl with %s gets the expected findings',
  async (_what, key, digest, subject, said) => {
    const args = ['req', '-new', '-text', '-newkey', ...key, '-keyout', 'key', '-nodes', digest, '-subj', subject]
    const { errors } = await checkSigningRequest(ports, openssl(args))
    expect(errors.map(({ message }) => message)).toEqual(said)
  },
)
