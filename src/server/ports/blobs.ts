/** Bytes by their SHA-256 in hexadecimal; putting the same bytes twice keeps them once. */
export interface Blobs {
  put(digest: string, bytes: Uint8Array): Promise<void>
  get(digest: string): Promise<Uint8Array | undefined>
  delete(digest: string): Promise<void>
  /** Whether the fixtures hold these bytes, for every world. */
  isOfFixtures?(digest: string): boolean
}
