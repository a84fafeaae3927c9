import * as z from 'zod'

/** Replaces an unparsable body of a real vendor, in which secrets cannot be found. */
const dropped = z.object({ dropped: z.literal('unparsable'), bytes: z.int() })
export type DroppedBody = z.infer<typeof dropped>

/** UTF-8 text, text with another charset or compression, or other bytes. */
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

const headers = z.record(z.string(), z.union([z.string(), z.array(z.string())]))
export type HttpHeaders = z.infer<typeof headers>

export const httpRequest = z.object({
  method: z.string(),
  path: z.string().startsWith('/'),
  /** Prefix of the path that selects a world, such as `/w/demo`. */
  prefix: z.string().optional(),
  headers,
  body: body.optional(),
})
export type HttpRequest = z.infer<typeof httpRequest>

export const httpResponse = z.object({
  /** Absent if the connection ended without a response. */
  status: z.int().optional(),
  headers: headers.optional(),
  /** Absent if the body is not text or was dropped. */
  body: z.union([z.string(), dropped.transform(() => undefined)]).optional(),
  cut: z.boolean().optional(),
})
export type HttpResponse = z.infer<typeof httpResponse>

export interface HttpExchange {
  call: HttpRequest
  reply: HttpResponse
}
