import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { DomainError } from '../../domain/errors.ts'
import type { Turns } from '../../ports.ts'
import { readBulkJson, readJson, UnreadableBody } from './json-body.ts'

/**
 * Reads bodies as JSON. A route without a body schema ignores what is sent. `anyType` takes JSON whatever its content
 * type says.
 */
export function acceptJson(app: FastifyInstance, { anyType = false } = {}): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request: FastifyRequest, bytes: Buffer, done) => {
    if (!request.notes.route.takesBody) return done(null)
    const type = request.headers['content-type']
    if (bytes.length === 0 || anyType || !type || /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(type)) {
      const body = readJson(bytes)
      request.notes.sent = body instanceof UnreadableBody ? bytes.toString('utf8') : body
      return done(null, body)
    }
    done(new DomainError('unsupported-media-type', `content-type ${type} is not JSON`))
  })
}

/** Reads bodies as JSON in turns, whatever their content type says: those of a route that takes a whole world. */
export function acceptBulkJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const giveWay = () => request.ports.turns.give()
    return readBulkJson(await collect(payload, request.routeOptions.bodyLimit, giveWay), giveWay)
  })
}

/** Fastify would join the pieces in one turn, which a large body makes a long one. */
async function collect(payload: IncomingMessage, limit: number, giveWay: Turns['give']): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = Number(payload.headers['content-length'] ?? 0)
  if (size <= limit) {
    size = 0
    // Whoever is refused is still to be answered.
    for await (const piece of payload.iterator({ destroyOnReturn: false })) {
      pieces.push(piece as Buffer)
      size += (piece as Buffer).length
      if (size > limit) break
    }
  }
  if (size > limit) throw new DomainError('payload-too-large', 'Request body is too large', { source: 'our choice' })
  const bytes = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (const piece of pieces) {
    at += piece.copy(bytes, at)
    await giveWay()
  }
  return bytes
}

/** Some clients send `Content-Type: application/json` with nothing. */
export const ignoreBodyType: onRequestHookHandler = ({ raw: { headers } }, _reply, done) => {
  // Deleting what is not there costs as much.
  if (headers['content-type'] !== undefined) delete headers['content-type']
  done()
}

/** Fastify itself refuses what is not even of the form of a type. */
export const takeAnyType: onRequestHookHandler = ({ raw: { headers } }, _reply, done) => {
  if (headers['content-type'] !== undefined && !/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+/.test(headers['content-type']))
    delete headers['content-type']
  done()
}

/** Bodies come as they are: document 1 and 2 take no compressed ones. */
export const refuseEncodedBody: onRequestHookHandler = ({ headers }, _reply, done) => {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new DomainError('unsupported-media-type', `content-encoding ${encoding} is not taken`)
  }
  done()
}

/** How often the sender gave a header: node joins or drops repeated ones before anybody can see them. */
export function countHeader({ raw }: Pick<FastifyRequest, 'raw'>, name: string): number {
  let count = 0
  for (let i = 0; i < raw.rawHeaders.length; i += 2) {
    const given = raw.rawHeaders[i]!
    if (given.length === name.length && given.toLowerCase() === name) count++
  }
  return count
}
