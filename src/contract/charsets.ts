import type { HttpBody } from './exchange.ts'
import { fromBase64, fromLatin1, toLatin1 } from './records/base64.ts'

export type EncodedText = Extract<HttpBody, { text: string }>

/** Decodes UTF-8 or UTF-16. Text that is neither is decoded as Latin-1, in which every byte is valid. */
export function readEncoded(bytes: Uint8Array): EncodedText {
  const text = readUtf8(bytes)
  if (text !== undefined) return { text, charset: 'utf-8' }
  const charset = guessUtf16(bytes)
  const wide = charset && decode(bytes, charset)
  return wide === undefined ? { text: toLatin1(bytes), charset: 'latin1' } : { text: wide, charset: charset! }
}

/** Detects UTF-16 by its byte order mark, or by the zero byte of an ASCII character at the start of the text. */
function guessUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes.length % 2 !== 0 || bytes.length < 2) return undefined
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || bytes[1] === 0) return 'utf-16le'
  return (bytes[0] === 0xfe && bytes[1] === 0xff) || bytes[0] === 0 ? 'utf-16be' : undefined
}

export function readUtf8(bytes: Uint8Array): string | undefined {
  return bytes[0] === 0 || bytes[1] === 0 ? undefined : decode(bytes, 'utf-8')
}

/** Returns undefined if the bytes are not valid text in the charset that the content type specifies. */
export function readTyped(bytes: Uint8Array, contentType: string): string | undefined {
  return decode(bytes, charsetOf(contentType) || 'utf-8')
}

export function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?([^\s"';]*)/i.exec(contentType)?.[1]
}

function decode(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Encodes text in its original charset, but does not compress it. */
export function writeBody(body: HttpBody): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if ('dropped' in body) return new Uint8Array()
  if ('base64' in body) return fromBase64(body.base64)
  const { text, charset } = body
  if (charset === 'utf-8') return new TextEncoder().encode(text)
  if (charset === 'latin1') return fromLatin1(text)
  const view = new DataView(new ArrayBuffer(2 * text.length))
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), charset === 'utf-16le')
  return new Uint8Array(view.buffer)
}
