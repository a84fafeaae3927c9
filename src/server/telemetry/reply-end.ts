import { finished, type Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasLeft } from '../http/connection/client-left.ts'
import { toDomainError } from '../http/errors.ts'

/** Streams, and what the system may not take at once. */
export type LongReply = Readable | string | Uint8Array

const LONG = 64 * 1024

/** The end of a short reply says nothing of its reader, and hearing of it would cost each request listeners. */
export function findLong(payload: unknown): LongReply | undefined {
  if (typeof payload === 'string') return payload.length > LONG ? payload : undefined
  if (payload instanceof Uint8Array) return payload.byteLength > LONG ? payload : undefined
  return typeof payload === 'object' && payload !== null ? (payload as Readable) : undefined
}

/** Tells why the reply broke off, or nothing when the system has taken it whole. */
export function hearEnd(
  request: FastifyRequest,
  reply: FastifyReply,
  { long, tell }: { long: LongReply; tell: (brokeOff: string | undefined) => void },
): void {
  const { socket } = request.raw
  finished(reply.raw, (error) => {
    // Node calls a reply finished, too, whose last write has failed, and may destroy the connection only then.
    const brokeOff = error || hasLeft(request) || socket.errored
    tell(brokeOff ? describeEnd(request, long) : undefined)
  })
}

function describeEnd(request: FastifyRequest, long: LongReply): string {
  const { server, notes } = request
  const { throttling, faults = [] } = notes
  const failure = typeof long === 'object' && 'errored' in long ? long.errored : undefined
  if (failure) return toDomainError(failure, request).message
  if (throttling && 'cut' in throttling) return `a fault cut the reply: ${faults.join(', ')}`
  if (server.closing.aborted) return 'the server closed before the reply had gone whole'
  return 'the client left, or read no more, before the reply had gone whole'
}
