/** Gives the inputs of a message, or nothing when it cannot be read. */
export type ReadMessage = (text: string) => unknown

/** An exchange as sent on the wire. Journal and recordings parse it only when it is read. */
export interface CapturedExchange {
  readonly requestId: string
  readonly method: string
  readonly url: string
  /** The prefix before the address named this world. */
  readonly worldName: string | undefined
  /** Names and values alternate, one per line. */
  readonly headers: string
  /** Absent when nothing was answered. */
  readonly status: number | undefined
  readonly replyHeaders: Readonly<Record<string, unknown>>
  readonly text: string
  readonly isCut: boolean
  /** Known only later: the reply broke off. */
  aborted: boolean
  /** Only the plugin of the document can parse these bodies. */
  readonly readMessage: ReadMessage | undefined
}
