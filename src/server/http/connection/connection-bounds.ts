/** Milliseconds and bytes. */
export interface ConnectionBounds {
  connectionsCheckingInterval: number
  handshakeTimeout: number
  headersTimeout: number
  requestTimeout: number
  keepAliveTimeout: number
  maxHeaderSize: number
  /** A connection whose write buffer has not emptied for so long is closed. */
  readingTimeout: number
}

export const connectionBounds: Readonly<ConnectionBounds> = {
  // Node looks for slow senders this often; its default is 30 s.
  connectionsCheckingInterval: 1000,
  handshakeTimeout: 10_000,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000,
  maxHeaderSize: 16 * 1024,
  readingTimeout: 60_000,
}
