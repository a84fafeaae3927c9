/** Image bytes by their SHA-256 digest in hexadecimal. The same bytes are therefore stored only once. */
export interface Blobs {
  put(digest: string, bytes: Uint8Array): Promise<void>
  get(digest: string): Promise<Uint8Array | undefined>
  delete(digest: string): Promise<void>
  /** Returns whether an image in the fixtures has this digest. Every world has the bytes of such images. */
  isOfFixtures?(digest: string): boolean
}
