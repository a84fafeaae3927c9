import { z } from 'zod'

/** Some tools leave texts out or give null. */
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
  /** Tools write 0 or -1 where no reply came. */
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
  _id: z.int().optional(),
})
export type ArchivedMessage = z.infer<typeof message>

/** An unreadable entry does not spoil the others. */
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
   * These fields are our own: the place of the call among all entries, the end of its stream, whether its reply was cut
   * off, and shapes of placeholders that no entry before it shows.
   */
  _place: z.number().optional(),
  _closed: z.object({ time: z.number(), _place: z.number() }).optional(),
  _cut: z.boolean().optional(),
  _tokens: z.array(z.string().max(100_000)).optional(),
  _eventStreamMessages: z.array(message).nullish(),
})
export type ArchivedEntry = z.infer<typeof archivedEntry>

/** Only fields that a case needs are read, so that archives of any tool are taken. */
export const httpArchive = z.object({
  log: z.object({ creator: z.object({ name: z.string() }).nullish(), entries: z.array(z.unknown()) }),
})
export type HttpArchive = z.infer<typeof httpArchive>
