import { unzipSync } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { charsetOf } from '#contract/charsets.ts'
import { DomainError } from '../domain/errors.ts'
import { notWellFormed, SoapFault } from './soap-fault.ts'

/** Maximum size of a message in bytes after decompression. */
export const MAX_BYTES = 64 * 1024

const ruled = { source: 'our choice: soap-http-errors' } as const

export function readMessage({ headers }: FastifyRequest, bytes: Buffer): string {
  const charset = readCharset(headers['content-type'])
  return decodeXml(inflate(bytes, headers['content-encoding']), charset)
}

/** Returns the `charset` of the content type. Our choice: the content type must be text/xml or absent. */
function readCharset(contentType: string | undefined): string | undefined {
  if (contentType === undefined || contentType.trim() === '') return undefined
  if (!/^\s*text\/xml\s*(?:;|$)/i.test(contentType)) {
    const message = `content type ${contentType.slice(0, 200)} is not supported. Send a SOAP 1.1 message as text/xml`
    throw new DomainError('unsupported-media-type', message, ruled)
  }
  return charsetOf(contentType)
}

function inflate(bytes: Buffer, encoding = 'identity'): Buffer {
  const name = encoding.trim().toLowerCase()
  if (name === 'identity') return bytes
  if (['gzip', 'x-gzip', 'deflate'].includes(name)) return unzip(bytes)
  throw new DomainError('unsupported-media-type', 'the content-encoding must be gzip or deflate', ruled)
}

function unzip(bytes: Buffer): Buffer {
  try {
    return unzipSync(bytes, { maxOutputLength: MAX_BYTES })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new DomainError('payload-too-large', 'the inflated message is too large', { ...ruled, cause })
    }
    throw notWellFormed('the compressed body cannot be inflated')
  }
}

const unreadable = (message: string) => new SoapFault('Client', message, 'our choice: soap-charset')

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

const S = '[ \\t\\r\\n]'
const EQUALS = `${S}*=${S}*`

/** Group 1 matches the name of the encoding. */
export const XML_DECLARATION = new RegExp(
  `^<\\?xml${S}+version${EQUALS}(?:"1\\.0"|'1\\.0')` +
    `(?:${S}+encoding${EQUALS}["']([A-Za-z][A-Za-z0-9._-]*)["'])?` +
    `(?:${S}+standalone${EQUALS}(?:"yes"|'yes'|"no"|'no'))?${S}*\\?>`,
)

/** RFC 7303: the first of byte order mark, `charset`, bytes and declaration. Our choice: only UTF-8 and UTF-16. */
export function decodeXml(bytes: Buffer, charset?: string): string {
  const marked = findMarkedEncoding(bytes)
  const encoding = marked ?? findNamedEncoding(bytes, charset) ?? guessEncoding(bytes) ?? requireDeclaredEncoding(bytes)
  return decode(bytes, encoding)
}

function findMarkedEncoding(bytes: Buffer): Encoding | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

function findNamedEncoding(bytes: Buffer, charset: string | undefined): Encoding | undefined {
  const name = charset?.toLowerCase()
  if (name === undefined || name === 'utf-8' || name === 'utf-16le' || name === 'utf-16be') return name
  // Python's XML libraries declare ASCII, which is a subset of UTF-8.
  if (name === 'utf8' || name === 'ascii' || name === 'us-ascii') return 'utf-8'
  if (name === 'utf-16') return guessEncoding(bytes) ?? 'utf-16be'
  throw unreadable('the character encoding is not supported. Use UTF-8 or UTF-16')
}

/** UTF-16 without a byte order mark has a zero byte before or after the first `<`. */
function guessEncoding(bytes: Buffer): Encoding | undefined {
  if (bytes[0] === 0x3c && bytes[1] === 0) return 'utf-16le'
  if (bytes[0] === 0 && bytes[1] === 0x3c) return 'utf-16be'
  return undefined
}

function requireDeclaredEncoding(bytes: Buffer): Encoding {
  if (bytes[1] !== 0x3f) return 'utf-8'
  const declared = XML_DECLARATION.exec(bytes.toString('latin1', 0, 256))?.[1]
  const encoding = findNamedEncoding(bytes, declared) ?? 'utf-8'
  // The declaration was readable with one byte per character, so the message is not in UTF-16.
  if (encoding !== 'utf-8') throw unreadable('the message is declared as UTF-16 but has another encoding')
  return encoding
}

function decode(bytes: Buffer, encoding: Encoding): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw unreadable(`the message is not valid ${encoding === 'utf-8' ? 'UTF-8' : 'UTF-16'}`)
  }
}
