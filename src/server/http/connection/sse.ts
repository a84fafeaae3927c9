export const streamHeaders = {
  'content-type': 'text/event-stream',
  // If a proxy compressed the response, it would buffer the frames until the stream ends.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const

/**
 * A comment, which clients ignore. It shows proxies that the connection is alive. If an empty line followed, some
 * clients would dispatch an empty message.
 */
export const HEARTBEAT = ':\n'
