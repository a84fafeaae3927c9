/** Ids, tokens and keys are pure functions of what it draws, so a seeded world repeats them. */
export interface Random {
  /** Each `kind` draws from a sequence of its own, so that unrelated calls cannot shift each other's ids. */
  bytes(kind: string, length: number): Promise<Uint8Array>
}

export interface Digests {
  /** Gives lower-case hexadecimal; text is taken as UTF-8. */
  sha256(content: string | Uint8Array): string
  /** HMAC-SHA-256 has 32 bytes. */
  hmac(key: string, text: string): Uint8Array
  /** Takes constant time; texts of different length differ. */
  equal(a: string, b: string): boolean
}
