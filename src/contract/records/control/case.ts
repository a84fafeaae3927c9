import { z } from 'zod'
import { instant } from '../formats.ts'

/** Text in UTF-8, text in another encoding or compressed, or bytes that are no text. */
const body = z.union([
  z.string(),
  z.object({
    text: z.string(),
    charset: z.enum(['utf-8', 'utf-16le', 'utf-16be', 'latin1']),
    coding: z.enum(['gzip', 'deflate', 'br']).optional(),
  }),
  z.object({ base64: z.base64() }),
])
export type CaseBody = z.infer<typeof body>
const headers = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

const call = z.object({
  method: z.string(),
  path: z.string().startsWith('/'),
  /** The world's prefix, where the call had one. */
  prefix: z.string().optional(),
  headers,
  body: body.optional(),
})
export type CaseCall = z.infer<typeof call>

const reply = z.object({
  /** Absent: the connection was cut, or left, without an answer. */
  status: z.int().optional(),
  headers: headers.optional(),
  /** Absent where it is no text. */
  body: z.string().optional(),
  /** The body was cut off. */
  cut: z.boolean().optional(),
})
export type CaseReply = z.infer<typeof reply>

const frame = z.object({
  subscriptionId: z.string(),
  event: z.string(),
  id: z.string().optional(),
  data: z.unknown(),
})
export type CaseFrame = z.infer<typeof frame>

const mail = z.record(z.string(), z.unknown())
const about = {
  step: z.int().min(1),
  at: instant,
  /** Shapes of placeholders that the header does not have: of a case that is written line by line. */
  tokens: z.array(z.string().max(100_000)).optional(),
}

export const caseStep = z.union([
  z.strictObject({ ...about, call, reply }),
  z.strictObject({ ...about, control: call, reply }),
  z.strictObject({ ...about, frame }),
  z.strictObject({ ...about, closed: z.object({ subscriptionId: z.string() }) }),
  z.strictObject({ ...about, mail }),
])
export type CaseStep = z.infer<typeof caseStep>

export const recordingStart = z.object({ name: z.string().optional(), world: z.string(), startedAt: instant })

/** Last line of a case that ended by itself. */
export const caseEnd = z.strictObject({ ended: z.string() })
