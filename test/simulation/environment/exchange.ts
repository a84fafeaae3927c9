import type { InjectOptions } from 'fastify'

export type Asked = InjectOptions & { url: string }

/**
 * A request and the response that its client received. Status 0 means that no response arrived. For a stream, an
 * exchange records that it was opened or closed by the client.
 */
export interface Exchange {
  world: string
  /** Time of the response in milliseconds since the start. */
  now: number
  request: Asked
  status: number
  text: string
  stream?: { subscriptionId: string; isLeft: boolean }
}
