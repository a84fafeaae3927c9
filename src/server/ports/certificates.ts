import type { RequestFields, SignedCertificate, SigningRequest } from '#contract/records/wallet/signing-request.ts'

/**
 * Document 2, section 5: the security factors for the onboarding of wallet partners. Keys, requests and certificates
 * are in PEM format.
 */
export interface Certificates {
  /** Creates a 2,048-bit RSA key, which is encrypted if there is a passphrase. */
  newKey(passphrase?: string): Promise<string>
  /** Creates a signing request with a SHA-256 signature. Throws UnusableKey. */
  newRequest(key: { pem: string; passphrase?: string | undefined }, fields: RequestFields): Promise<string>
  readRequest(pem: string): Promise<SigningRequest | undefined>
  /**
   * Signs a valid request with the local certificate authority, which is created on first use. `now` is in milliseconds
   * since the epoch.
   */
  sign(pem: string, now: number): Promise<SignedCertificate>
}
