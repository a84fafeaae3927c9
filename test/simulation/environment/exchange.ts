import type { InjectOptions } from 'fastify'

export type Asked = InjectOptions & { url: string }

/** A call, and what its client saw; status 0: no answer. Of a stream: that it was opened, or left. */
export interface Exchange {
  world: string
  /** Milliseconds since the start, when it was answered. */
  now: number
  request: Asked
  status: number
  text: string
  stream?: { subscriptionId: string; isLeft: boolean }
}
