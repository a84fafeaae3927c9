export const streamHeaders = {
  'content-type': 'text/event-stream',
  // A proxy that compresses responses would buffer the frames until the stream ends.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const

/**
 * Clients ignore comments, and proxies see that the connection is alive. With an additional empty line, some clients
 * would dispatch an empty message.
 */
export const HEARTBEAT = ':\n'
