import { promisify } from 'node:util'
import { brotliCompressSync, brotliDecompress, deflateSync, gzipSync, inflate, unzip } from 'node:zlib'
import type { Dispatcher } from 'undici'
import type { CaseBody, CaseCall, CaseReply } from '../../../contract/records/control/case.ts'
import { bounds } from '../../control-client/answers.ts'

/** `fill` puts values in the place of placeholders. */
export function toRequest(
  { method, path, body }: CaseCall,
  headers: CaseCall['headers'],
  fill: (text: string) => string,
): Dispatcher.RequestOptions {
  const filled = Object.entries(headers).map(([name, value]) => {
    return [name, typeof value === 'string' ? fill(value) : value.map(fill)]
  })
  const bytes = typeof body === 'object' ? toBytes(body, fill) : body && fill(body)
  const verb = method as Dispatcher.HttpMethod
  return { method: verb, path: fill(path), headers: Object.fromEntries(filled), body: bytes ?? null }
}

const codings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync } as const

/** Texts are sent in their first encoding; a compressed body has the same content in other bytes. */
function toBytes(body: Exclude<CaseBody, string>, fill: (text: string) => string): Buffer {
  if ('base64' in body) return Buffer.from(body.base64, 'base64')
  const { charset, coding } = body
  const bytes = Buffer.from(fill(body.text), charset === 'utf-16be' ? 'utf16le' : charset)
  const encoded = charset === 'utf-16be' ? bytes.swap16() : bytes
  return coding ? codings[coding](encoded) : encoded
}

/** It did not come, or did not end, within its time; or it was larger than is read. */
export interface Unread {
  late?: boolean
  large?: boolean
}

/**
 * A call whose connection breaks before an answer has no status; one that breaks in the body is cut. Without `charset`
 * the content type tells how the body is read.
 */
export async function ask(
  client: Dispatcher,
  options: Dispatcher.RequestOptions,
  charset?: 'utf-8',
): Promise<CaseReply & Unread> {
  let answer: Dispatcher.ResponseData
  try {
    answer = await client.request(options)
  } catch (error) {
    const { code } = error as { code?: string }
    if (isLate(error)) return { late: true }
    if (isLarge(error)) return { large: true }
    if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') return {}
    throw error
  }
  return readReply(answer, charset)
}

/** An event stream has no body here, since it would never end. */
export async function readReply(answer: Dispatcher.ResponseData, charset?: 'utf-8'): Promise<CaseReply & Unread> {
  const reply = { status: answer.statusCode, headers: toHeaders(answer.headers) }
  if (isEventStream(reply.headers)) {
    answer.body.on('error', () => {}).destroy()
    return { ...reply, body: '' }
  }
  try {
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    return { ...reply, body: await readText(bytes, reply.headers, charset) }
  } catch (error) {
    return { ...reply, cut: true, ...(isLate(error) && { late: true }), ...(isLarge(error) && { large: true }) }
  }
}

const decoders = {
  gzip: promisify(unzip),
  'x-gzip': promisify(unzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

async function readText(bytes: Buffer, headers: NonNullable<CaseReply['headers']>, known?: 'utf-8'): Promise<string> {
  const coding = String(headers['content-encoding'] ?? '').toLowerCase()
  const decode = bytes.length > 0 && Object.hasOwn(decoders, coding) && decoders[coding as keyof typeof decoders]
  const plain = decode ? ((await decode(bytes, { maxOutputLength: bounds.bytes })) as Buffer) : bytes
  const [, named = 'utf-8'] = /charset="?([\w-]+)/i.exec(String(headers['content-type'])) ?? []
  return decodeText(plain, known ?? named)
}

function decodeText(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

export function isEventStream(headers: CaseReply['headers']): boolean {
  return String(headers?.['content-type']).startsWith('text/event-stream')
}

function isLate(error: unknown): boolean {
  const { code = '', name } = error as { code?: string; name?: string }
  return name === 'TimeoutError' || /^UND_ERR_(HEADERS_TIMEOUT|BODY_TIMEOUT)/.test(code)
}

function isLarge(error: unknown): boolean {
  return /^UND_ERR_RES_EXCEEDED|^ERR_BUFFER_TOO_LARGE$/.test((error as { code?: string }).code ?? '')
}

export function toHeaders(headers: Dispatcher.ResponseData['headers']): NonNullable<CaseReply['headers']> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
