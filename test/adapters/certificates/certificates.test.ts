import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createCertificates } from '../../../src/adapters/certificates/certificates.ts'
import { UnusableKey } from '../../../src/ports.ts'
import type { RequestFields } from '../../../src/schemas/wallet/signing-request.ts'

const NOW = Date.parse('2026-05-06T16:00:00Z')

const fields: RequestFields = {
  country: 'US',
  state: 'New Jersey',
  locality: 'Ridgefield Park',
  organization: 'Partner & Söhne',
  unit: 'Wallet',
  commonName: 'wallet.partner.example.com',
  email: 'ops@partner.example.com',
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** What openssl says to files with these contents, named by their keys. */
function openssl(args: string[], files: Record<string, string> = {}): string {
  const folder = newFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

const wrap = (body: string) => `-----BEGIN CERTIFICATE REQUEST-----\n${body}\n-----END CERTIFICATE REQUEST-----`

describe('a key', () => {
  test('is RSA with 2048 bits, as openssl sees it', async () => {
    const pem = await createCertificates().newKey()
    expect(pem).toContain('BEGIN PRIVATE KEY')
    const text = openssl(['rsa', '-in', 'key', '-check', '-noout', '-text'], { key: pem })
    expect(text).toContain('2048 bit')
    expect(text).toContain('RSA key ok')
  })

  test('opens with its passphrase only', async () => {
    const pem = await createCertificates().newKey('open sesame')
    expect(pem).toContain('BEGIN ENCRYPTED PRIVATE KEY')
    expect(openssl(['rsa', '-in', 'key', '-check', '-noout', '-passin', 'pass:open sesame'], { key: pem })).toContain(
      'RSA key ok',
    )
    expect(() => openssl(['rsa', '-in', 'key', '-noout', '-passin', 'pass:wrong'], { key: pem })).toThrow(
      'Command failed',
    )
  })
})

describe('a request', () => {
  test('verifies and holds every field, as openssl sees it', async () => {
    const certificates = createCertificates()
    const pem = await certificates.newKey()
    const extras = { challengePassword: 'sesame', companyName: 'Partner Söhne' }
    const request = await certificates.newRequest({ pem }, { ...fields, ...extras })
    expect(openssl(['req', '-in', 'r', '-verify', '-noout', '-pubkey'], { r: request })).toBe(
      openssl(['pkey', '-in', 'k', '-pubout'], { k: pem }),
    )
    const text = openssl(['req', '-in', 'r', '-noout', '-text', '-nameopt', 'oneline,utf8,-esc_msb'], { r: request })
    for (const value of Object.values(fields)) expect(text).toContain(value)
    expect(text).toContain('sha256WithRSAEncryption')
    expect(text).toMatch(/challengePassword\s*:\s*sesame/)
    expect(text).toMatch(/unstructuredName\s*:\s*Partner/)
  })

  test('is read back as it was made', async () => {
    const certificates = createCertificates()
    const request = await certificates.newRequest({ pem: await certificates.newKey('x'), passphrase: 'x' }, fields)
    const subject = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value]]))
    const facts = { keyAlgorithm: 'RSA', keyBits: 2048, digest: 'SHA-256', signatureValid: true, subject }
    expect(await certificates.readRequest(request)).toEqual(facts)
    const listed = openssl(['req', '-in', 'r', '-text'], { r: request })
    expect(await certificates.readRequest(listed)).toEqual(facts)
  })

  test('needs a key that opens, of RSA with 2048 bits', async () => {
    const certificates = createCertificates()
    const locked = await certificates.newKey('x')
    const short = openssl(['genrsa', '1024'])
    const elliptic = openssl(['ecparam', '-name', 'prime256v1', '-genkey', '-noout'])
    for (const key of [
      { pem: locked },
      { pem: locked, passphrase: 'y' },
      { pem: 'no key' },
      { pem: short },
      { pem: elliptic },
    ]) {
      await expect(certificates.newRequest(key, fields)).rejects.toBeInstanceOf(UnusableKey)
    }
  })

  test('that is none is nothing', async () => {
    const { readRequest } = createCertificates()
    for (const text of ['', 'hello', wrap(''), wrap('AAAA'), wrap('MIIB'), `${wrap('AAAA')}${' '.repeat(70_000)}`]) {
      expect(await readRequest(text)).toBeUndefined()
    }
  })

  test('with a changed byte in its signature does not verify', async () => {
    const certificates = createCertificates()
    const request = await certificates.newRequest({ pem: await certificates.newKey() }, fields)
    const der = Buffer.from(request.replace(/-----[^-]+-----/g, ''), 'base64')
    der[der.length - 1] = der.at(-1)! ^ 1
    expect(await certificates.readRequest(wrap(der.toString('base64')))).toMatchObject({ signatureValid: false })
  })
})

describe('a signed certificate', () => {
  test('verifies against the authority and certifies the request, as openssl sees it', async () => {
    const certificates = createCertificates()
    const pem = await certificates.newKey()
    const request = await certificates.newRequest({ pem }, fields)
    const { certificate, authority } = await certificates.sign(request, NOW)
    const args = ['verify', '-x509_strict', '-attime', String(NOW / 1000 + 60), '-CAfile', 'ca', 'leaf']
    expect(openssl(args, { ca: authority, leaf: certificate })).toContain('leaf: OK')
    expect(openssl(['x509', '-in', 'c', '-pubkey', '-noout'], { c: certificate })).toBe(
      openssl(['pkey', '-in', 'k', '-pubout'], { k: pem }),
    )
    const text = openssl(['x509', '-in', 'c', '-noout', '-text'], { c: certificate })
    expect(text).toMatch(/CN\s*=\s*wallet\.partner\.example\.com/)
    expect(text).toContain('DNS:wallet.partner.example.com')
    expect(text).toContain('sha256WithRSAEncryption')
    expect(text).toContain('CA:FALSE')
    expect(text).toContain('Not After : May  6 16:00:00 2027 GMT')
  })

  test('comes from one authority each time, with a serial number of its own', async () => {
    const certificates = createCertificates()
    const request = await certificates.newRequest({ pem: await certificates.newKey() }, fields)
    const [first, second] = await Promise.all([certificates.sign(request, NOW), certificates.sign(request, NOW)])
    expect(first?.authority).toBe(second?.authority)
    expect(first?.certificate).not.toBe(second?.certificate)
  })
})

describe('an authority in a directory', () => {
  test('is made on first use, kept, and its key is for the owner only', async () => {
    const directory = join(newFolder(), 'authority')
    const certificates = createCertificates(directory)
    const request = await certificates.newRequest({ pem: await certificates.newKey() }, fields)
    const { authority } = await certificates.sign(request, NOW)
    expect(readdirSync(directory).sort()).toEqual(['authority-certificate.pem', 'authority.pem'])
    expect(statSync(join(directory, 'authority.pem')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(directory, 'authority-certificate.pem'), 'utf8')).toBe(authority)
    expect((await createCertificates(directory).sign(request, NOW)).authority).toBe(authority)
  })

  test('is one, however many begin at once', async () => {
    const directory = newFolder()
    const maker = createCertificates()
    const request = await maker.newRequest({ pem: await maker.newKey() }, fields)
    const signed = await Promise.all([1, 2, 3].map(() => createCertificates(directory).sign(request, NOW)))
    expect(new Set(signed.map(({ authority }) => authority)).size).toBe(1)
    expect(readdirSync(directory)).toHaveLength(2)
  })

  test('that cannot be read is said to be so, and is not replaced', async () => {
    const directory = newFolder()
    writeFileSync(join(directory, 'authority.pem'), 'nonsense')
    const certificates = createCertificates(directory)
    const request = await certificates.newRequest({ pem: await certificates.newKey() }, fields)
    await expect(certificates.sign(request, NOW)).rejects.toThrow('holds no authority')
    expect(readFileSync(join(directory, 'authority.pem'), 'utf8')).toBe('nonsense')
  })
})
