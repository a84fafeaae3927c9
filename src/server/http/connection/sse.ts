/** Of every reply that is a stream of server-sent events. */
export const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const

/**
 * A comment: clients skip it, and everything between sees that the connection lives. One line: for an empty one behind
 * it some clients dispatch an empty message.
 */
export const HEARTBEAT = ':\n'
