import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { HttpBody } from '#contract/exchange.ts'

/** A small compressed body may inflate to gigabytes. */
const LARGEST = 1024 * 1024

const codings = { gzip: gunzipSync, 'x-gzip': gunzipSync, deflate: inflateSync, br: brotliDecompressSync } as const

/** Secrets are looked for in texts, so a body is kept as its text, whatever its encoding. */
export function toCaseBody(bytes: Buffer, coding: string | undefined): HttpBody {
  const text = toText(bytes)
  if (text !== undefined) return text
  const inflated = inflate(bytes, coding)
  if (inflated) return { ...withCharset(inflated.bytes), coding: inflated.coding }
  const read = withCharset(bytes)
  return read.charset === 'latin1' && !isPrintable(read.text) ? { base64: bytes.toString('base64') } : read
}

function inflate(bytes: Buffer, name = '') {
  const known = name.trim().toLowerCase()
  if (!Object.hasOwn(codings, known)) return undefined
  try {
    const coding = known === 'x-gzip' ? 'gzip' : (known as Exclude<keyof typeof codings, 'x-gzip'>)
    return { bytes: codings[coding](bytes, { maxOutputLength: LARGEST }), coding }
  } catch {
    return undefined
  }
}

/** Latin-1 maps each byte to one letter, so any bytes can be written as text. */
function withCharset(bytes: Buffer): Extract<HttpBody, { text: string }> {
  const text = toText(bytes)
  if (text !== undefined) return { text, charset: 'utf-8' }
  const isPaired = bytes.length % 2 === 0 && bytes.length > 1
  // UTF-16 is recognized by its byte order mark, or by the zero byte beside an ASCII letter.
  if (isPaired && ((bytes[0] === 0xff && bytes[1] === 0xfe) || bytes[1] === 0)) {
    return { text: bytes.toString('utf16le'), charset: 'utf-16le' }
  }
  if (isPaired && ((bytes[0] === 0xfe && bytes[1] === 0xff) || bytes[0] === 0)) {
    return { text: Buffer.from(bytes).swap16().toString('utf16le'), charset: 'utf-16be' }
  }
  return { text: bytes.toString('latin1'), charset: 'latin1' }
}

/** Gives nothing for bytes that are no UTF-8; a zero byte among the first means UTF-16. */
function toText(bytes: Buffer): string | undefined {
  if (bytes[0] === 0 || bytes[1] === 0) return undefined
  const text = bytes.toString('utf8')
  return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined
}

function isPrintable(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return !/[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/.test(text)
}
