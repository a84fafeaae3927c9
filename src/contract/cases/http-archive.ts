import { z } from 'zod'

/** Text that tools leave out, or give as null. */
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined)
const pairs = z.array(z.object({ name: z.string(), value: text })).nullish()

const request = z.object({
  method: z.string(),
  url: z.string(),
  headers: pairs,
  cookies: pairs,
  postData: z.object({ mimeType: text, text, params: pairs, encoding: text }).nullish(),
})
export type ArchivedRequest = z.infer<typeof request>

const response = z.object({
  /** 0, or -1, where none came. */
  status: z.number(),
  headers: pairs,
  content: z.object({ size: z.number().nullish(), mimeType: text, text, encoding: text }).nullish(),
})
export type ArchivedResponse = z.infer<typeof response>

const message = z.object({
  /** Seconds since 1970. */
  time: z.number(),
  eventName: text,
  eventId: text,
  data: text,
  /** Of our own export: its place among all entries. */
  _id: z.int().optional(),
})
export type ArchivedMessage = z.infer<typeof message>

const entry = z.object({
  startedDateTime: z.iso.datetime({ offset: true }),
  /** Milliseconds. */
  time: z.number().nullish(),
  request,
  response,
  _id: z.int().optional(),
  /**
   * Of our own: the place of the call among all entries, the end of its stream, whether its reply was cut off, and shapes
   * of placeholders that no entry before it shows.
   */
  _place: z.number().optional(),
  _closed: z.object({ time: z.number(), _place: z.number() }).optional(),
  _cut: z.boolean().optional(),
  _tokens: z.array(z.string().max(100_000)).optional(),
  _eventStreamMessages: z.array(message).nullish(),
})
export type ArchivedEntry = z.infer<typeof entry>

/** An HTTP Archive (HAR 1.2) as far as a case is made of it, whoever wrote it. */
export const httpArchive = z.object({
  log: z.object({ creator: z.object({ name: z.string() }).nullish(), entries: z.array(entry) }),
})
export type HttpArchive = z.infer<typeof httpArchive>
