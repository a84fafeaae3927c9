import { randomBytes, type webcrypto } from 'node:crypto'
import type { Extension, X509Certificate } from '@peculiar/x509'
import type { SignedCertificate } from '#contract/records/wallet/signing-request.ts'
import { findRequest } from './signing-requests.ts'
import { loadX509, RSA_SHA256 } from './x509.ts'

export interface Authority {
  keys: webcrypto.CryptoKeyPair
  certificate: X509Certificate
}

const DAY = 24 * 60 * 60 * 1000

/** The authority's certificate must hold at any time that a world's clock may show. */
const FROM = new Date('2000-01-01T00:00:00Z')
const UNTIL = new Date('2099-12-31T23:59:59Z')

/** `further` extensions limit what it may certify. */
export async function certifyAuthority(
  keys: webcrypto.CryptoKeyPair,
  further: readonly Extension[] = [],
): Promise<X509Certificate> {
  const x509 = await loadX509()
  return x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerialNumber(),
    name: [{ O: ['vendor-cloud'] }, { CN: ['vendor-cloud local authority'] }],
    notBefore: FROM,
    notAfter: UNTIL,
    keys,
    signingAlgorithm: RSA_SHA256,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ...further,
    ],
  })
}

/** The certificate holds for a year. The request's own extensions are not taken over. */
export async function signRequest(authority: Authority, pem: string, now: number): Promise<SignedCertificate> {
  const request = await findRequest(pem)
  if (!request) throw new TypeError('only a readable request can be signed')
  const x509 = await loadX509()
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: newSerialNumber(),
    subject: request.subjectName,
    issuer: authority.certificate.subjectName,
    notBefore: new Date(now),
    notAfter: new Date(now + 365 * DAY),
    publicKey: request.publicKey,
    signingKey: authority.keys.privateKey,
    signingAlgorithm: RSA_SHA256,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth, x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: request.subjectName.getField('CN')[0]! }]),
      await x509.SubjectKeyIdentifierExtension.create(request.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(authority.keys.publicKey),
    ],
  })
  return { certificate: toPem(certificate), authority: toPem(authority.certificate) }
}

export function toPem(certificate: X509Certificate): string {
  return `${certificate.toString('pem')}\n`
}

/** A serial number must be positive, and full length keeps it unique. */
export function newSerialNumber(): string {
  const bytes = randomBytes(16)
  bytes[0] = (bytes[0]! & 0x3f) | 0x40
  return bytes.toString('hex')
}
