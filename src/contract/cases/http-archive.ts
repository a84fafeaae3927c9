import { z } from 'zod'

/** Text that tools leave out, or give as null. */
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined)
const pairs = z.array(z.object({ name: z.string(), value: text })).nullish()
const params = z.array(z.object({ name: z.string(), value: text, fileName: text, contentType: text })).nullish()

const request = z.object({
  method: z.string(),
  url: z.string(),
  headers: pairs,
  cookies: pairs,
  postData: z.object({ mimeType: text, text, params, encoding: text }).nullish(),
})
export type ArchivedRequest = z.infer<typeof request>

const response = z.object({
  /** 0, or -1, where none came. */
  status: z.int(),
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

/** One entry of an archive; the others count where one is none. */
export const archivedEntry = z.object({
  /** Some tools write its zone without a colon. */
  startedDateTime: z
    .string()
    .transform((value) => value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
    .pipe(z.iso.datetime({ offset: true })),
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
export type ArchivedEntry = z.infer<typeof archivedEntry>

/** An HTTP Archive (HAR 1.2) as far as a case is made of it, whoever wrote it. */
export const httpArchive = z.object({
  log: z.object({ creator: z.object({ name: z.string() }).nullish(), entries: z.array(z.unknown()) }),
})
export type HttpArchive = z.infer<typeof httpArchive>
