export interface Witness {
  sent(bytes: Buffer): void
  /** Gets names and values in turn, as the client gets them. */
  answered(status: number, headers: readonly string[]): void
  received(bytes: Buffer): void
  ended(how: ReplyEnd): void
}

/** `lost` means that it ended before its head; `left` means that the client went away. */
export type ReplyEnd = 'whole' | 'cut' | 'lost' | 'left'
