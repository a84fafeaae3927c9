import type { RequestFields, SignedCertificate, SigningRequest } from '#contract/records/wallet/signing-request.ts'

/** Document 2, section 5. Keys, requests and certificates are in PEM format. */
export interface Certificates {
  /** 2,048-bit RSA, encrypted if there is a passphrase. */
  newKey(passphrase?: string): Promise<string>
  /** Signed with SHA-256. Throws UnusableKey. */
  newRequest(key: { pem: string; passphrase?: string | undefined }, fields: RequestFields): Promise<string>
  readRequest(pem: string): Promise<SigningRequest | undefined>
  /** The local authority is created on first use. `now` is in milliseconds since the epoch. */
  sign(pem: string, now: number): Promise<SignedCertificate>
}
