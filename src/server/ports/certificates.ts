import type { RequestFields, SignedCertificate, SigningRequest } from '#contract/records/wallet/signing-request.ts'

/** Document 2, section 5: the security factors of the wallet's partner flow; keys, requests, certificates are PEM. */
export interface Certificates {
  /** The RSA key has 2048 bits, and is encrypted when there is a passphrase. */
  newKey(passphrase?: string): Promise<string>
  /** The request is signed with SHA-256. Throws UnusableKey. */
  newRequest(key: { pem: string; passphrase?: string | undefined }, fields: RequestFields): Promise<string>
  /** Returns undefined for text that is not a request. */
  readRequest(pem: string): Promise<SigningRequest | undefined>
  /** Signs a readable request by the local authority, which is made on first use. `now` in milliseconds. */
  sign(pem: string, now: number): Promise<SignedCertificate>
}
