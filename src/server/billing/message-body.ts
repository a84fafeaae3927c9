import { gunzipSync } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { charsetOf } from '#contract/charsets.ts'
import { DomainError } from '../domain/errors.ts'
import { decodeXml } from './charset.ts'
import { notWellFormed } from './soap-fault.ts'

/** PROMISES 7, counted after a gzip body is inflated. */
export const MAX_BYTES = 64 * 1024

export function readMessage({ headers }: FastifyRequest, bytes: Buffer): string {
  const charset = readCharset(headers['content-type'])
  return decodeXml(inflate(bytes, headers['content-encoding']), charset)
}

/** The `charset` of a content type; only text/xml is taken, and none at all: our choice. */
function readCharset(contentType: string | undefined): string | undefined {
  if (contentType === undefined || contentType.trim() === '') return undefined
  if (!/^\s*text\/xml\s*(?:;|$)/i.test(contentType)) {
    throw new DomainError('unsupported-media-type', 'a SOAP 1.1 message is of the type text/xml', {
      source: 'our choice: soap-http-errors',
    })
  }
  return charsetOf(contentType)
}

function inflate(bytes: Buffer, encoding = 'identity'): Buffer {
  switch (encoding.trim().toLowerCase()) {
    case 'identity':
      return bytes
    case 'gzip':
    case 'x-gzip':
      return gunzip(bytes)
    default:
      throw new DomainError('unsupported-media-type', 'the only content-encoding taken is gzip', {
        source: 'our choice: soap-http-errors',
      })
  }
}

function gunzip(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BYTES })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new DomainError('payload-too-large', 'the inflated message is too large', {
        source: 'our choice: soap-http-errors',
        cause,
      })
    }
    throw notWellFormed('the gzip body cannot be inflated')
  }
}
