import { createPublicKey, sign } from 'node:crypto'
import forge from 'node-forge'
import { loadX509 } from '../../../src/server/adapters/certificates/x509.ts'

export interface RequestOptions {
  key: string
  digest?: 'md5' | 'sha1' | 'sha256' | 'sha512'
  /** Subject in the format of openssl: `/C=US/CN=name`. */
  subject: string
}

/** Uses node-forge, because the code of vendor-cloud cannot create requests that document 2 forbids. */
export function makeSigningRequest({ key, digest = 'sha256', subject }: RequestOptions): string {
  const request = forge.pki.createCertificationRequest()
  request.publicKey = forge.pki.publicKeyFromPem(
    createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
  )
  request.setSubject(
    subject
      .slice(1)
      .split('/')
      .map((each) => each.split('='))
      .map(([name = '', value = '']) => ({ [name.length > 2 ? 'name' : 'shortName']: name, value })),
  )
  // Node signs about 100 times as fast as node-forge.
  let content = ''
  const hash = forge.md[digest].create()
  Object.assign(hash, { update: (text: string) => (content = text) })
  const signed = () => sign(digest, Buffer.from(content, 'latin1'), key).toString('latin1')
  request.sign(Object.assign(forge.pki.privateKeyFromPem(key), { sign: signed }), hash)
  return forge.pki.certificationRequestToPem(request)
}

export async function makeEllipticRequest(subject: string): Promise<string> {
  const { Pkcs10CertificateRequestGenerator } = await loadX509()
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const name = subject.slice(1).replace('emailAddress', 'E').replaceAll('/', ', ')
  const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' }
  return (await Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm })).toString('pem')
}
