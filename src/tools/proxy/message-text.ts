import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** A small compressed message may inflate to gigabytes. */
const LARGEST = 32 * 1024 * 1024

const codings: Readonly<Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/** Gives nothing for a body that is no text. */
export function toMessageText(bytes: Buffer, headers: Readonly<Record<string, unknown>>): string | undefined {
  const coding = String(headers['content-encoding'] ?? 'identity').toLowerCase()
  const [, charset = 'utf-8'] = /;\s*charset="?([^\s;"]+)/i.exec(String(headers['content-type'] ?? '')) ?? []
  try {
    const plain = coding === 'identity' ? bytes : codings[coding]?.(bytes, { maxOutputLength: LARGEST })
    return plain && new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(plain)
  } catch {
    return undefined
  }
}
