/** Returns the inputs of a message, or undefined if it cannot be parsed. */
export type ReadMessage = (text: string) => unknown

/** An exchange as it was sent. Its parts are parsed only when the journal or the recording is read. */
export interface CapturedExchange {
  readonly requestId: string
  readonly method: string
  readonly url: string
  /** World name in the prefix of the URL, if there was one. */
  readonly worldName: string | undefined
  /** Header names and values, alternating, each on its own line. */
  readonly headers: string
  readonly status: number | undefined
  readonly replyHeaders: Readonly<Record<string, unknown>>
  readonly text: string
  readonly isCut: boolean
  /** Becomes true if the response is interrupted later. */
  aborted: boolean
  /** Parses a body that only the document's plugin can parse. */
  readonly readMessage: ReadMessage | undefined
}
