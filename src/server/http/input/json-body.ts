import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError, type Finding, invalidInput } from '#server/domain/errors.ts'
import { findExcess, findPoisonedKey } from '#contract/records/plain-values.ts'
import type { Source } from '#contract/rules.ts'

/** A body that cannot be parsed. This finding is reported together with those in path and query. */
export class UnreadableBody {
  readonly finding: Finding

  constructor(message: string, source: Source = 'our choice: json-bodies') {
    this.finding = { code: 'MalformedBody', message, target: 'body', source }
  }
}

/** Returns the body, including its null and empty fields. */
export function readRawBody({ body }: Pick<FastifyRequest, 'body'>): unknown {
  if (body instanceof UnreadableBody) throw invalidInput([body.finding])
  return body
}

/** If a route does not accept a body, a body in the request is ignored. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request: FastifyRequest, bytes: Buffer, done) => {
    const { rules } = request.context.route
    if (!rules?.takesBody) return done(null)
    const type = request.headers['content-type']
    if (bytes.length === 0 || rules.anyType || !type || /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(type)) {
      const { body, text } = readJson(bytes)
      request.context.sent = body instanceof UnreadableBody ? text : body
      request.context.sentText = text
      return done(null, body)
    }
    done(
      new DomainError('unsupported-media-type', `content-type must be application/json, not ${type}`, {
        source: 'our choice: content-types',
      }),
    )
  })
}

export function acceptBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request: FastifyRequest, bytes: Buffer, done) =>
    done(null, bytes),
  )
}

function readJson(bytes: Buffer): { body: unknown; text: string } {
  const content = withoutMark(bytes)
  const text = content.toString('utf8')
  if (bytes.length === 0) return { body: undefined, text }
  return { body: parse(content, text), text }
}

/** V8's messages quote a part of the text, which may contain a secret. */
const QUOTED = /(?<=^Unexpected token) .*|, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s

function parse(bytes: Buffer, text: string): unknown {
  const excess = findExcess(bytes)
  if (excess) return new UnreadableBody(`the JSON body ${excess}`, 'our choice: json-bounds')
  if (!isUtf8(bytes)) return new UnreadableBody('the body is not valid UTF-8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return new UnreadableBody(`the body is not valid JSON: ${(error as Error).message.replace(QUOTED, '')}`)
  }
  const key = findPoisonedKey(value, text)
  if (key === undefined) return value
  return new UnreadableBody(`the JSON body has a key ${key}, which is not allowed`, 'our choice: repeated-parameters')
}

/** JSON text may start with a byte order mark. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}
