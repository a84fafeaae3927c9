import { createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import forge from 'node-forge'
import { describe, expect, test } from 'vitest'
import { createCertificates } from '../../../../src/server/adapters/certificates/certificates.ts'
import { UnusableKey } from '../../../../src/server/ports/failures.ts'
import type { RequestFields } from '../../../../src/contract/records/wallet/signing-request.ts'
import { makeTemporaryFolder } from '../../../helpers/temporary-folder.ts'

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

const pkcs8 = { type: 'pkcs8', format: 'pem' } as const
const spki = { type: 'spki', format: 'pem' } as const
const publicKeyOf = (pem: string) => createPublicKey(pem).export(spki)

const wrap = (body: string) => `-----BEGIN CERTIFICATE REQUEST-----\n${body}\n-----END CERTIFICATE REQUEST-----`

describe('a key', () => {
  test('a new key is a 2048-bit RSA key that can sign and verify', async () => {
    const pem = await createCertificates().newKey()
    expect(pem).toContain('BEGIN PRIVATE KEY')
    expect(createPrivateKey(pem)).toMatchObject({
      asymmetricKeyType: 'rsa',
      asymmetricKeyDetails: { modulusLength: 2048, publicExponent: 65_537n },
    })
    const { n, e, p, q } = forge.pki.privateKeyFromPem(pem)
    expect(p.multiply(q).equals(n)).toBe(true)
    const digest = () => forge.md.sha256.create().update('what is signed')
    const signature = forge.pki.privateKeyFromPem(pem).sign(digest())
    expect(forge.pki.setRsaPublicKey(n, e).verify(digest().digest().bytes(), signature)).toBe(true)
  })

  test('a key that was created with a passphrase can only be opened with that passphrase', async () => {
    const key = await createCertificates().newKey('open sesame')
    expect(key).toContain('BEGIN ENCRYPTED PRIVATE KEY')
    expect(createPrivateKey({ key, passphrase: 'open sesame' }).asymmetricKeyDetails?.modulusLength).toBe(2048)
    expect(() => createPrivateKey({ key, passphrase: 'wrong' })).toThrow(Error)
  })
})

describe('a certificate request', () => {
  test('a certificate request contains every field and a valid signature, according to another program', async () => {
    const certificates = createCertificates()
    const pem = await certificates.newKey()
    const extras = { challengePassword: 'sesame', companyName: 'Partner Söhne' }
    const text = await certificates.newRequest({ pem }, { ...fields, ...extras })
    const request = forge.pki.certificationRequestFromPem(text)
    expect(request.verify()).toBe(true)
    expect(createPublicKey(forge.pki.publicKeyToPem(request.publicKey!)).export(spki)).toBe(publicKeyOf(pem))
    const utf8 = (value: unknown) => Buffer.from(String(value), 'latin1').toString()
    expect(request.subject.attributes.map(({ value }) => utf8(value))).toEqual(Object.values(fields))
    expect(forge.pki.oids[request.signatureOid!]).toBe('sha256WithRSAEncryption')
    expect(request.getAttribute({ name: 'challengePassword' })?.value).toBe('sesame')
    expect(utf8(request.getAttribute({ name: 'unstructuredName' })?.value)).toBe('Partner Söhne')
  })

  test('a certificate request is parsed back into its fields', async () => {
    const certificates = createCertificates()
    const request = await certificates.newRequest({ pem: await certificates.newKey('x'), passphrase: 'x' }, fields)
    const subject = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value]]))
    const facts = { keyAlgorithm: 'RSA', keyBits: 2048, digest: 'SHA-256', signatureValid: true, subject }
    expect(await certificates.readRequest(request)).toEqual(facts)
    // The output of openssl with -text consists of a listing and the request.
    const listed = `Certificate Request:\n    Data:\n        Version: 1 (0x0)\n${request}`
    expect(await certificates.readRequest(listed)).toEqual(facts)
  })

  test('a certificate request can only be created with a decryptable 2048-bit RSA key', async () => {
    const certificates = createCertificates()
    const locked = await certificates.newKey('x')
    const { privateKey: short } = generateKeyPairSync('rsa', {
      modulusLength: 1024,
      privateKeyEncoding: pkcs8,
      publicKeyEncoding: spki,
    })
    const { privateKey: elliptic } = generateKeyPairSync('ec', {
      namedCurve: 'prime256v1',
      privateKeyEncoding: pkcs8,
      publicKeyEncoding: spki,
    })
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

  test('reading an invalid certificate request returns undefined', async () => {
    const { readRequest } = createCertificates()
    for (const text of ['', 'hello', wrap(''), wrap('AAAA'), wrap('MIIB'), `${wrap('AAAA')}${' '.repeat(70_000)}`]) {
      expect(await readRequest(text)).toBeUndefined()
    }
  })

  test('a certificate request with a changed byte in its signature has an invalid signature', async () => {
    const certificates = createCertificates()
    const request = await certificates.newRequest({ pem: await certificates.newKey() }, fields)
    const der = Buffer.from(request.replace(/-----[^-]+-----/g, ''), 'base64')
    der[der.length - 1] = der.at(-1)! ^ 1
    expect(await certificates.readRequest(wrap(der.toString('base64')))).toMatchObject({ signatureValid: false })
  })
})

describe('a signed certificate', () => {
  test('the authority signs a certificate for the key and subject of the request', async () => {
    const certificates = createCertificates()
    const pem = await certificates.newKey()
    const request = await certificates.newRequest({ pem }, fields)
    const { certificate, authority } = await certificates.sign(request, NOW)
    const [leaf, issuer] = [new X509Certificate(certificate), new X509Certificate(authority)]
    expect(leaf.checkIssued(issuer) && leaf.verify(issuer.publicKey)).toBe(true)
    expect([leaf.ca, issuer.ca, issuer.verify(issuer.publicKey)]).toEqual([false, true, true])
    expect(leaf.publicKey.export(spki)).toBe(publicKeyOf(pem))
    expect(leaf.subject.split('\n')).toContain('CN=wallet.partner.example.com')
    expect(leaf.subjectAltName).toBe('DNS:wallet.partner.example.com')
    expect(leaf.validTo).toBe('May  6 16:00:00 2027 GMT')
    const read = forge.pki.certificateFromPem(certificate)
    expect(forge.pki.oids[read.signatureOid]).toBe('sha256WithRSAEncryption')
    const store = forge.pki.createCaStore([authority])
    const at = (time: number) => ({ validityCheckDate: new Date(time) })
    expect(forge.pki.verifyCertificateChain(store, [read], at(NOW + 60_000))).toBe(true)
    expect(() => forge.pki.verifyCertificateChain(store, [read], at(NOW + 400 * 86_400_000))).toThrow('expired')
  })

  test('two certificates for the same request have the same authority but are not identical', async () => {
    const certificates = createCertificates()
    const request = await certificates.newRequest({ pem: await certificates.newKey() }, fields)
    const [first, second] = await Promise.all([certificates.sign(request, NOW), certificates.sign(request, NOW)])
    expect(first?.authority).toBe(second?.authority)
    expect(first?.certificate).not.toBe(second?.certificate)
  })
})

describe('an authority in a directory', () => {
  test('an authority is created on first use, saved, and readable only by its owner', async () => {
    const directory = join(makeTemporaryFolder(), 'authority')
    const certificates = createCertificates(directory)
    const request = await certificates.newRequest({ pem: await certificates.newKey() }, fields)
    const { authority } = await certificates.sign(request, NOW)
    expect(readdirSync(directory).sort()).toEqual(['authority-certificate.pem', 'authority.pem'])
    expect(statSync(join(directory, 'authority.pem')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(directory, 'authority-certificate.pem'), 'utf8')).toBe(authority)
    expect((await createCertificates(directory).sign(request, NOW)).authority).toBe(authority)
  })

  test('an authority is created only once when several signers start in parallel', async () => {
    const directory = makeTemporaryFolder()
    const maker = createCertificates()
    const request = await maker.newRequest({ pem: await maker.newKey() }, fields)
    const signed = await Promise.all([1, 2, 3].map(() => createCertificates(directory).sign(request, NOW)))
    expect(new Set(signed.map(({ authority }) => authority)).size).toBe(1)
    expect(readdirSync(directory)).toHaveLength(2)
  })

  test('an authority file that cannot be read is reported and not replaced', async () => {
    const directory = makeTemporaryFolder()
    writeFileSync(join(directory, 'authority.pem'), 'nonsense')
    const certificates = createCertificates(directory)
    const request = await certificates.newRequest({ pem: await certificates.newKey() }, fields)
    await expect(certificates.sign(request, NOW)).rejects.toThrow('does not contain an authority')
    expect(readFileSync(join(directory, 'authority.pem'), 'utf8')).toBe('nonsense')
  })
})
