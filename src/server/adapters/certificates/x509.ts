import { createPublicKey, KeyObject, webcrypto } from 'node:crypto'
import { KEY_BITS } from '#contract/records/wallet/signing-request.ts'

/** The signature algorithm from document 2, section 5, rule 4. */
export const RSA_SHA256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }

/** Loaded on demand, because few servers create certificates. reflect-metadata must be loaded first. */
export async function loadX509() {
  await import('reflect-metadata')
  return import('@peculiar/x509')
}

export function generateRsaKeys(): Promise<webcrypto.CryptoKeyPair> {
  const algorithm = { ...RSA_SHA256, modulusLength: KEY_BITS, publicExponent: Uint8Array.of(1, 0, 1) }
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
}

export function toKeyPem(key: webcrypto.CryptoKey, passphrase?: string): string {
  const protection = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase }
  return KeyObject.from(key)
    .export({ type: 'pkcs8', format: 'pem', ...protection })
    .toString()
}

export async function toKeyPair(key: KeyObject): Promise<webcrypto.CryptoKeyPair> {
  const secret = key.export({ type: 'pkcs8', format: 'der' })
  const open = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const [privateKey, publicKey] = await Promise.all([
    webcrypto.subtle.importKey('pkcs8', secret, RSA_SHA256, true, ['sign']),
    webcrypto.subtle.importKey('spki', open, RSA_SHA256, true, ['verify']),
  ])
  return { privateKey, publicKey }
}
