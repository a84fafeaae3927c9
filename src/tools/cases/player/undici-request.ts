import { type Dispatcher, Pool } from 'undici'
import { compress, inflate } from '#contract/bodies.ts'
import { charsetOf, writeBody } from '#contract/charsets.ts'
import type { HttpBody, HttpHeaders, HttpResponse } from '#contract/exchange.ts'
import { bounds } from '#tools/client/options.ts'
import { toUnreachable } from '#tools/client/errors.ts'
import { isEventStream, readEvents, type Request, type ReceivedResponse } from './request.ts'

interface Options {
  /** Charset of response bodies. Default: the charset in the content type. */
  charset?: 'utf-8'
  /** Uses one connection per request, because another server may close a persistent connection at any time. */
  isForeign?: boolean
  dispatcher?: Dispatcher
  bytes?: number
}

/** Maximum duration of a response in milliseconds. Without it, a response that arrives byte by byte might never end. */
const LONGEST = 4 * bounds.patience

export interface Requester {
  request: Request
  close(): Promise<void>
}

export function createRequester(origin: string, options: Options = {}): Requester {
  const pool = options.dispatcher ?? new Pool(origin, { pipelining: options.isForeign ? 0 : 1 })
  return { request: (call) => request(pool, call, { origin, ...options }), close: () => pool.destroy() }
}

async function request(
  pool: Dispatcher,
  { method, prefix = '', path, headers, body }: Parameters<Request>[0],
  { origin, ...options }: Options & { origin: string },
): Promise<ReceivedResponse> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new DOMException('', 'TimeoutError')), LONGEST)
  const timeouts = { headersTimeout: bounds.patience, bodyTimeout: 0, signal: late.signal }
  const sent = { method: method as Dispatcher.HttpMethod, path: prefix + path, headers, body: toSent(body) }
  try {
    return await readReply(await pool.request({ origin, ...sent, ...timeouts }), options)
  } catch (error) {
    const { code = '' } = error as { code?: string }
    if (isLate(error)) return { late: true }
    if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') return {}
    // If no client could send the request, the case is invalid. All other errors are reported as an unreachable server.
    throw /^UND_ERR_(INVALID_ARG|NOT_SUPPORTED)$/.test(code) ? error : toUnreachable(origin, error, 'NotVendorCloud')
  } finally {
    clearTimeout(timer)
  }
}

/** If the server compresses a body again, the content is the same, but the bytes may differ. */
function toSent(body: HttpBody | undefined): string | Uint8Array | null {
  if (typeof body !== 'object') return body ?? null
  const bytes = writeBody(body)
  return 'text' in body && body.coding ? compress(bytes, body.coding) : bytes
}

async function readReply(
  answer: Dispatcher.ResponseData,
  { charset, bytes = bounds.bytes }: Options,
): Promise<ReceivedResponse> {
  const known = Object.entries(answer.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  const reply = {
    status: answer.statusCode,
    headers: Object.fromEntries(known) as NonNullable<HttpResponse['headers']>,
  }
  const { body } = answer
  if (isEventStream(reply.headers)) {
    const close = () => void body.on('error', () => {}).destroy()
    return { ...reply, body: '', stream: readEvents(body, close) }
  }
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > bytes) return { ...reply, cut: true, large: true }
      chunks.push(chunk)
    }
    return { ...reply, body: readReplyText(Buffer.concat(chunks), reply.headers, charset) }
  } catch (error) {
    const isLarge = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    return { ...reply, cut: true, ...(isLate(error) && { late: true }), ...(isLarge && { large: true }) }
  }
}

/** Invalid bytes become replacement characters. An unknown charset is read as UTF-8. */
function readReplyText(bytes: Uint8Array, headers: HttpHeaders, known?: 'utf-8'): string {
  const plain = bytes.length > 0 ? inflate(bytes, headers['content-encoding']?.toString(), bounds.bytes) : undefined
  return decode(plain?.bytes ?? bytes, known ?? (charsetOf(String(headers['content-type'])) || 'utf-8'))
}

function decode(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

function isLate(error: unknown): boolean {
  const { code, name } = error as { code?: string; name?: string }
  return name === 'TimeoutError' || code === 'UND_ERR_HEADERS_TIMEOUT'
}
