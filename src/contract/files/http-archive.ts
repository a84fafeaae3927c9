import * as z from 'zod'
import { readTyped } from '../charsets.ts'
import type { HttpBody, HttpExchange, HttpHeaders, HttpResponse } from '../exchange.ts'
import { fromLatin1 } from '../records/base64.ts'
import { instant } from '../records/formats.ts'
import type { StreamFrame } from './case.ts'
import { readFormParts } from './form-parts.ts'

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined)
const pairs = z.array(z.object({ name: z.string(), value: text })).nullish()
const params = z
  .array(z.object({ name: z.string(), value: text, fileName: text, contentType: text, encoding: text }))
  .nullish()

const request = z.object({
  method: z.string(),
  url: z.string(),
  headers: pairs,
  cookies: pairs,
  postData: z.object({ mimeType: text, text, params, encoding: text, comment: text }).nullish(),
})

const response = z.object({
  /** 0 or -1 if there was no response. */
  status: z.int(),
  headers: pairs,
  content: z.object({ size: z.number().nullish(), mimeType: text, text, encoding: text }).nullish(),
})

const message = z.object({
  /** Time of the message in seconds since 1970. */
  time: z.number(),
  eventName: text,
  eventId: text,
  data: text,
})

const archivedEntry = z.object({
  startedDateTime: instant,
  /** Duration of the exchange in milliseconds. */
  time: z.number().nullish(),
  request,
  response,
  _eventStreamMessages: z.array(message).nullish(),
})
export type ArchivedEntry = z.infer<typeof archivedEntry>

/** The message does not contain values, because archives may contain secrets. */
export class UnusableEntry extends Error {}

export const readEntry = (given: unknown): ArchivedEntry => readAs(archivedEntry, given)

const addressed = z.object({ request: request.pick({ method: true, url: true }) })

/** Reads only the method and URL, because entries of other hosts may contain fields that are invalid. */
export const readTarget = (given: unknown) => readAs(addressed, given).request

function readAs<T>(schema: z.ZodType<T>, given: unknown): T {
  const { success, data, error } = schema.safeParse(given)
  if (success) return data
  const { path = [], message = '' } = error.issues[0] ?? {}
  const place = path.filter((each) => typeof each === 'string').join('.') || 'entry'
  throw new UnusableEntry(message.endsWith('received undefined') ? `no ${place}` : `${place}: ${message}`)
}

/** Validates only the required fields, so that archives of all tools are accepted. */
export const httpArchive = z.object({
  log: z.object({ creator: z.object({ name: z.string() }).nullish(), entries: z.array(z.unknown()) }),
})
export type HttpArchive = z.infer<typeof httpArchive>

const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 }

interface TimedExchange extends HttpExchange {
  at: string
  durationMs?: number | undefined
}

/** HAR 1.2. `base` is the URL of the server. */
export function toArchiveEntry({ at, durationMs = 0, call, reply }: TimedExchange, base: string) {
  const { method, prefix = '', path, headers, body } = call
  const [, query = ''] = /\?(.*)$/s.exec(path) ?? []
  return {
    startedDateTime: at,
    time: durationMs,
    request: {
      ...common,
      method,
      url: base + prefix + path,
      headers: toPairs(headers),
      queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
      ...(body !== undefined && { postData: toPostData(body, String(headers['content-type'] ?? '')) }),
    },
    response: toResponse(reply, method),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
  }
}

export function toArchiveMessage(at: string, { event, id, data }: StreamFrame) {
  const written = data === undefined ? '' : typeof data === 'string' ? data : JSON.stringify(data)
  return { time: Date.parse(at) / 1000, eventName: event, eventId: id, data: written }
}

export const DROPPED = 'dropped'

/** Writes forms as `params`, because only `params` distinguishes files from fields. */
function toPostData(body: HttpBody, mimeType: string) {
  if (typeof body === 'object' && 'dropped' in body) return { mimeType, comment: DROPPED }
  const isBytes = typeof body !== 'string' && 'base64' in body
  const letters = typeof body === 'string' ? body : 'text' in body ? body.text : atob(body.base64)
  const parts = readFormParts(letters, mimeType)
  if (parts) {
    return {
      mimeType,
      params: parts.map(({ at: _, value, ...about }) => ({ ...about, ...(isBytes ? toValue(value) : { value }) })),
    }
  }
  return { mimeType, ...(isBytes ? { text: body.base64, encoding: 'base64' } : { text: letters }) }
}

/** `letters` contains one character per byte. */
function toValue(letters: string): { value: string; encoding?: string } {
  const value = readTyped(fromLatin1(letters), '')
  return value === undefined ? { value: btoa(letters), encoding: 'base64' } : { value }
}

function toResponse({ status = 0, headers = {}, body = '' }: HttpResponse, method: string) {
  const mimeType = String(headers['content-type'] ?? '')
  // If a body is not text, the journal contains only its size.
  const length = method === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0)
  const size = body === '' ? length : new TextEncoder().encode(body).length
  const content = { size, mimeType, ...(body !== '' && { text: body }) }
  return { ...common, status, statusText: '', headers: toPairs(headers), content, redirectURL: '' }
}

function toPairs(headers: HttpHeaders): { name: string; value: string }[] {
  return Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })))
}
