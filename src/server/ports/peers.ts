export interface Peers {
  /** The name lasts as long as the process. */
  readonly instance: string
  /** `write` learns how many instances are asked, since they share a bound of bytes. */
  ask(write: (asked: number) => string): Promise<PeerAnswers>
  /** A rejection counts as silence. */
  answer(work: (text: string) => Promise<string>): void
}

export interface PeerAnswers {
  texts: readonly string[]
  /** Instances that were silent for 1.5 s, or too many to ask. */
  missing: readonly string[]
}
