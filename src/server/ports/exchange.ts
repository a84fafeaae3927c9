/** Gives the inputs of a message, or nothing when it cannot be read. */
export type ReadMessage = (text: string) => unknown

/** An exchange as it was on the wire. Journal and recordings read it only when somebody asks for it. */
export interface CapturedExchange {
  readonly requestId: string
  readonly method: string
  readonly url: string
  /** The prefix before the address named this world. */
  readonly worldName: string | undefined
  /** Names and values stand in turn, one a line. */
  readonly headers: string
  /** Absent when nothing was answered. */
  readonly status: number | undefined
  readonly replyHeaders: Readonly<Record<string, unknown>>
  readonly text: string
  readonly isCut: boolean
  /** Known only later: the reply broke off. */
  aborted: boolean
  /** Only the document's room knows the form of these bodies. */
  readonly readMessage: ReadMessage | undefined
}
