import * as z from 'zod'

/** Replaces a body from the vendor's server that cannot be parsed, because secrets could not be found in it. */
const dropped = z.object({ dropped: z.literal('unparsable'), bytes: z.int() })
export type DroppedBody = z.infer<typeof dropped>

/** A body: UTF-8 text, text that is compressed or in another charset, binary data, or a dropped body. */
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
  /** Path prefix that selects a world, such as `/w/demo`. */
  prefix: z.string().optional(),
  headers,
  body: body.optional(),
})
export type HttpRequest = z.infer<typeof httpRequest>

export const httpResponse = z.object({
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
