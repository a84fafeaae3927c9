import type { IncomingMessage } from 'node:http'

export function hasBody({ headers }: IncomingMessage): boolean {
  return 'content-length' in headers || 'transfer-encoding' in headers
}

/** The body is read to its end even when it is too large: a body left unread destroys the connection. */
export async function readCallBody(request: AsyncIterable<Buffer>, largest: number): Promise<Buffer | 'too large'> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request) {
    bytes += piece.length
    if (bytes <= largest) pieces.push(piece)
  }
  return bytes <= largest ? Buffer.concat(pieces) : 'too large'
}
