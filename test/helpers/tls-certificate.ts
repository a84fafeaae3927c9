import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import forge from 'node-forge'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** Returns a key and a self-signed certificate that is valid at any time. */
export function makeTlsCertificate(): { TLS_CERT: string; TLS_KEY: string } {
  const encoding = { publicKeyEncoding: { type: 'spki', format: 'pem' } } as const
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    ...encoding,
  })
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(keys.publicKey)
  certificate.setSubject([{ shortName: 'CN', value: 'vendor.example' }])
  certificate.setIssuer(certificate.subject.attributes)
  certificate.sign(forge.pki.privateKeyFromPem(keys.privateKey), forge.md.sha256.create())
  const folder = makeTemporaryFolder()
  const files = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') }
  writeFileSync(files.TLS_CERT, forge.pki.certificateToPem(certificate))
  writeFileSync(files.TLS_KEY, keys.privateKey)
  return files
}
