import type { FastifyReply, FastifyRequest } from 'fastify'
import { sentAddress } from '../http/addresses.ts'
import type { Exchange } from '../ports/exchange.ts'

/** A request whose reply is held up has no reply yet. */
export function keepExchange(request: FastifyRequest, reply?: FastifyReply, text = ''): Exchange {
  const { id, method, raw, notes } = request
  return {
    requestId: id,
    method,
    url: sentAddress(request),
    worldName: raw.worldName,
    // Headers are kept as one text, since the garbage collector would have to move ten thousand lists of strings.
    headers: raw.rawHeaders.join('\n'),
    status: notes.unanswered ? undefined : reply?.statusCode,
    replyHeaders: reply?.getHeaders() ?? {},
    text,
    aborted: false,
    isCut: notes.throttling !== undefined && 'cut' in notes.throttling,
    readMessage: notes.readMessage,
  }
}

/** A repeated header keeps all of its values, in their order. */
export function readHeaders({ headers }: Exchange): Map<string, string[]> {
  const sent = headers.split('\n')
  const read = new Map<string, string[]>()
  // Without headers the text splits into one empty name without a value.
  for (let i = 0; i + 1 < sent.length; i += 2) {
    const name = sent[i]!.toLowerCase()
    read.set(name, [...(read.get(name) ?? []), sent[i + 1]!])
  }
  return read
}
