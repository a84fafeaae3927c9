import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '#server/domain/errors.ts'
import { readJson, UnreadableBody } from './json-body.ts'

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

/** The operation reads the bytes, whatever their content type says. */
export function acceptBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request: FastifyRequest, bytes: Buffer, done) =>
    done(null, bytes),
  )
}
