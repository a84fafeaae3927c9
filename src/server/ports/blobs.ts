/** Keys are SHA-256 in hexadecimal, so the same bytes are kept once. */
export interface Blobs {
  put(digest: string, bytes: Uint8Array): Promise<void>
  get(digest: string): Promise<Uint8Array | undefined>
  delete(digest: string): Promise<void>
  /** Every world has the bytes of the fixtures. */
  isOfFixtures?(digest: string): boolean
}
