/** The only source of chance: ids, tokens and keys are pure functions of what it draws. */
export interface Random {
  /** Each `kind` draws from a sequence of its own, so that unrelated calls cannot shift each other's ids. */
  bytes(kind: string, length: number): Promise<Uint8Array>
}

export interface Digests {
  /** SHA-256 in lower-case hexadecimal; text is taken as UTF-8. */
  sha256(content: string | Uint8Array): string
  /** HMAC-SHA-256, 32 bytes. */
  hmac(key: string, text: string): Uint8Array
  /** Compares in constant time; texts of different length differ. */
  equal(a: string, b: string): boolean
}
