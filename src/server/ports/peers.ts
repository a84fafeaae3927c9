export interface Peers {
  /** Name of this instance, for as long as its process lives. */
  readonly instance: string
  /** Asks the other instances; `write` is told how many are asked, which share a bound of bytes. */
  ask(write: (asked: number) => string): Promise<PeerAnswers>
  /** Answers from now on what other instances ask; a rejection is silence. */
  answer(work: (text: string) => Promise<string>): void
}

export interface PeerAnswers {
  texts: readonly string[]
  /** Names of those that said nothing for 1.5 s, or were too many to ask. */
  missing: readonly string[]
}
