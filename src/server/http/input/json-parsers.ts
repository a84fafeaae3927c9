import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain/errors.ts'
import type { Turns } from '../../ports/turns.ts'
import { readBulkJson, readJson, UnreadableBody } from './json-body.ts'

/** A body that is sent to a route without one is ignored. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request: FastifyRequest, bytes: Buffer, done) => {
    const { rules } = request.notes.route
    if (!rules?.takesBody) return done(null)
    const type = request.headers['content-type']
    if (bytes.length === 0 || rules.anyType || !type || /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(type)) {
      const { body, text } = readJson(bytes)
      request.notes.sent = body instanceof UnreadableBody ? text : body
      request.notes.sentText = text
      return done(null, body)
    }
    done(
      new DomainError('unsupported-media-type', `content-type ${type} is not JSON`, {
        source: 'our choice: content-types',
      }),
    )
  })
}

/** A whole world is parsed in turns, whatever its content type says. */
export function acceptBulkJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const giveWay = () => request.ports.turns.give()
    return readBulkJson(await collect(payload, request.routeOptions.bodyLimit, giveWay), giveWay)
  })
}

/** Fastify would join the pieces of a large body in one long turn. */
async function collect(payload: IncomingMessage, limit: number, giveWay: Turns['give']): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = Number(payload.headers['content-length'] ?? 0)
  if (size <= limit) {
    size = 0
    // A refused client must still be answered.
    for await (const piece of payload.iterator({ destroyOnReturn: false })) {
      pieces.push(piece as Buffer)
      size += (piece as Buffer).length
      if (size > limit) break
    }
  }
  if (size > limit)
    throw new DomainError('payload-too-large', 'Request body is too large', { source: 'our choice: json-bounds' })
  const bytes = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (const piece of pieces) {
    at += piece.copy(bytes, at)
    await giveWay()
  }
  return bytes
}
