import { brotliCompressSync, brotliDecompressSync, deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib'
import { type EncodedText, readEncoded, readTyped, readUtf8 } from './charsets.ts'
import type { HttpBody, HttpHeaders } from './exchange.ts'

type Coding = NonNullable<EncodedText['coding']>

interface Inflated {
  bytes: Uint8Array
  coding?: Coding
}

/** Maximum size in bytes after decompression, because a small compressed body may expand to gigabytes. */
const LARGEST = 32 * 1024 * 1024
const LARGEST_REQUEST = 1024 * 1024

const codings = {
  gzip: { inflate: gunzipSync, compress: gzipSync },
  deflate: { inflate: inflateSync, compress: deflateSync },
  br: { inflate: brotliDecompressSync, compress: brotliCompressSync },
} as const

/** Returns the body as text if possible, because secrets are searched only in text. */
export function readBody(bytes: Uint8Array, coding?: string): HttpBody {
  const text = readUtf8(bytes)
  if (text !== undefined) return text
  const inflated = tryInflate(bytes, coding, LARGEST_REQUEST)
  if (inflated?.coding) return { ...readEncoded(inflated.bytes), coding: inflated.coding }
  const read = readEncoded(bytes)
  return read.charset === 'latin1' && !isPrintable(read.text) ? { base64: Buffer.from(bytes).toString('base64') } : read
}

export function readText(bytes: Uint8Array, headers: Readonly<Partial<HttpHeaders>>): string | undefined {
  const inflated = tryInflate(bytes, headers['content-encoding']?.toString())
  return inflated && readTyped(inflated.bytes, String(headers['content-type'] ?? ''))
}

function tryInflate(...given: Parameters<typeof inflate>): Inflated | undefined {
  try {
    return inflate(...given)
  } catch {
    return undefined
  }
}

/** Returns undefined for an unknown encoding. Above `most` bytes, throws with the code ERR_BUFFER_TOO_LARGE. */
export function inflate(bytes: Uint8Array, encoding = 'identity', most = LARGEST): Inflated | undefined {
  const name = encoding.trim().toLowerCase().replace(/^x-/, '')
  if (name === 'identity') return { bytes }
  if (!Object.hasOwn(codings, name)) return undefined
  const coding = name as Coding
  return { bytes: codings[coding].inflate(bytes, { maxOutputLength: most }), coding }
}

export function compress(bytes: Uint8Array, coding: Coding): Uint8Array {
  return codings[coding].compress(bytes)
}

function isPrintable(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return !/[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/.test(text)
}
