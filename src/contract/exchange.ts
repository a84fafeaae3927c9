import * as z from 'zod'

/** A body of a real vendor that cannot be parsed is left out, since no secret can be found in it. */
const dropped = z.object({ dropped: z.literal('unparsable'), bytes: z.int() })
export type DroppedBody = z.infer<typeof dropped>

/** A body is text in UTF-8, text in another encoding or compressed, or bytes that are no text. */
const body = z.union([
  z.string(),
  z.object({
    text: z.string(),
    charset: z.enum(['utf-8', 'utf-16le', 'utf-16be', 'latin1']),
    coding: z.enum(['gzip', 'deflate', 'br']).optional(),
  }),
  z.object({ base64: z.base64() }),
  dropped,
])
export type HttpBody = z.infer<typeof body>

/** A header that came more than once has a list. */
const headers = z.record(z.string(), z.union([z.string(), z.array(z.string())]))
export type HttpHeaders = z.infer<typeof headers>

export const httpRequest = z.object({
  method: z.string(),
  /** Includes the query. */
  path: z.string().startsWith('/'),
  /** The part of the address before the path that names a world. */
  prefix: z.string().optional(),
  headers,
  body: body.optional(),
})
export type HttpRequest = z.infer<typeof httpRequest>

export const httpResponse = z.object({
  /** Absent where the connection ended without an answer. */
  status: z.int().optional(),
  headers: headers.optional(),
  /** Absent where the body is no text, or was dropped. */
  body: z.union([z.string(), dropped.transform(() => undefined)]).optional(),
  /** The connection ended within the body. */
  cut: z.boolean().optional(),
})
export type HttpResponse = z.infer<typeof httpResponse>

/** A request and its response as recorded. */
export interface HttpExchange {
  call: HttpRequest
  reply: HttpResponse
}
