/** Image bytes by their SHA-256 digest in hexadecimal, so that the same bytes are stored only once. */
export interface Blobs {
  put(digest: string, bytes: Uint8Array): Promise<void>
  get(digest: string): Promise<Uint8Array | undefined>
  delete(digest: string): Promise<void>
  /** Returns whether the digest is that of an image in the fixtures. Every world has those bytes. */
  isOfFixtures?(digest: string): boolean
}
