/** A message as the journal shows it, without its secrets; nothing when it cannot be read. */
export type ReadMessage = (text: string, secrets?: 'kept') => { body: string; fields?: unknown } | undefined

/** A request and its reply as they were on the wire; journal and recordings make theirs of it when they are read. */
export interface Exchange {
  readonly requestId: string
  readonly method: string
  readonly url: string
  /** The world whose prefix stood before the address. */
  readonly worldName: string | undefined
  /** The request's names and values by turns, a line each. */
  readonly headers: string
  /** Absent: nothing was answered. */
  readonly status: number | undefined
  readonly replyHeaders: Readonly<Record<string, unknown>>
  readonly text: string
  readonly isCut: boolean
  /** Reads bodies of a form that only the document's room knows. */
  readonly readMessage: ReadMessage | undefined
}
