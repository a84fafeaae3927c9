import type { FastifyReply, FastifyRequest } from 'fastify'
import { sentAddress } from '../http/addresses.ts'
import type { Exchange } from '../ports/exchange.ts'

/** Without a reply while that is held up. */
export function keepExchange(request: FastifyRequest, reply?: FastifyReply, text = ''): Exchange {
  const { id, method, raw, notes } = request
  return {
    requestId: id,
    method,
    url: sentAddress(request),
    worldName: raw.worldName,
    // One text: ten thousand lists of strings would be the collector's to move.
    headers: raw.rawHeaders.join('\n'),
    status: notes.unanswered ? undefined : reply?.statusCode,
    replyHeaders: reply?.getHeaders() ?? {},
    text,
    isCut: notes.throttling !== undefined && 'cut' in notes.throttling,
    readMessage: notes.readMessage,
  }
}

/** Headers of the request by their names in lower case, each with its values as they came. */
export function readHeaders({ headers }: Exchange): Map<string, string[]> {
  const sent = headers.split('\n')
  const read = new Map<string, string[]>()
  // Of no headers the text is one empty name without a value.
  for (let i = 0; i + 1 < sent.length; i += 2) {
    const name = sent[i]!.toLowerCase()
    read.set(name, [...(read.get(name) ?? []), sent[i + 1]!])
  }
  return read
}
