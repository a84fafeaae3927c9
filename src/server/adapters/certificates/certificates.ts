import type { Certificates } from '#server/ports/certificates.ts'
import type { SignedCertificate } from '#contract/records/wallet/signing-request.ts'
import { type Authority, certify, storeAuthority, makeAuthority, toPem } from './authority.ts'
import { findRequest, makeRequest, readRequest } from './signing-requests.ts'
import { generateRsaKeys, loadX509, toKeyPem } from './x509.ts'

const YEAR = 365 * 24 * 60 * 60 * 1000

export function createCertificates(directory?: string): Certificates {
  let authority: Promise<Authority> | undefined

  function requireAuthority(): Promise<Authority> {
    authority ??= (directory === undefined ? makeAuthority() : storeAuthority(directory)).catch((failure) => {
      // Does not cache a failure, because the directory may become usable later.
      authority = undefined
      throw failure
    })
    return authority
  }

  return {
    newKey: async (passphrase) => toKeyPem((await generateRsaKeys()).privateKey, passphrase),
    newRequest: makeRequest,
    readRequest,
    sign: async (pem, now) => signRequest(await requireAuthority(), pem, now),
  }
}

/** The extensions in the request are not copied to the certificate. */
async function signRequest(authority: Authority, pem: string, now: number): Promise<SignedCertificate> {
  const request = await findRequest(pem)
  if (!request) throw new TypeError('the signing request cannot be read')
  const x509 = await loadX509()
  const certificate = await certify(authority, {
    subject: request.subjectName,
    host: request.subjectName.getField('CN')[0]!,
    publicKey: request.publicKey,
    from: now,
    until: now + YEAR,
    extensions: [
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth, x509.ExtendedKeyUsage.serverAuth]),
      await x509.SubjectKeyIdentifierExtension.create(request.publicKey),
    ],
  })
  return { certificate, authority: toPem(authority.certificate) }
}
