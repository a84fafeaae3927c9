export const streamHeaders = {
  'content-type': 'text/event-stream',
  // If a proxy compressed the response, it would buffer the frames until the stream ends.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const

/** Shows proxies that the connection is alive. With an empty line, some clients would dispatch a message. */
export const HEARTBEAT = ':\n'
