/** Every stream of server-sent events has these headers. */
export const streamHeaders = {
  'content-type': 'text/event-stream',
  // Proxies that compress would keep the frames until the stream ends.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const

/**
 * Clients skip a comment, and every proxy sees a live connection. With an empty line some clients would dispatch an
 * empty message.
 */
export const HEARTBEAT = ':\n'
