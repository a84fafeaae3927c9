/** Returns the inputs of a message, or undefined if it cannot be parsed. */
export type ReadMessage = (text: string) => unknown

/** An exchange as it was sent. The journal and recordings parse it only when it is read. */
export interface CapturedExchange {
  readonly requestId: string
  readonly method: string
  readonly url: string
  /** World name in the prefix of the URL, if there was one. */
  readonly worldName: string | undefined
  /** Alternating names and values, each on its own line. */
  readonly headers: string
  readonly status: number | undefined
  readonly replyHeaders: Readonly<Record<string, unknown>>
  readonly text: string
  readonly isCut: boolean
  /** Becomes true later if the response is interrupted. */
  aborted: boolean
  /** Parses bodies that only the plugin of the document can read. */
  readonly readMessage: ReadMessage | undefined
}
