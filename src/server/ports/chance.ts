/** All IDs, tokens and keys are derived from these bytes, so that a world with a seed is reproducible. */
export interface Random {
  /** Each `kind` has its own sequence, so that a call does not affect the IDs of another kind. */
  bytes(kind: string, length: number): Promise<Uint8Array>
}

export interface Digests {
  /** Returns lower-case hexadecimal digits. A string is encoded as UTF-8. */
  sha256(content: string | Uint8Array): string
  /** Returns the 32 bytes of the HMAC-SHA-256. */
  hmac(key: string, text: string): Uint8Array
  /** The comparison takes the same time for all texts of the same length. Texts of different length are never equal. */
  equal(a: string, b: string): boolean
}
