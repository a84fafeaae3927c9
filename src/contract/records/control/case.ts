import { z } from 'zod'
import { instant } from '../formats.ts'

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
export type CaseBody = z.infer<typeof body>
const headers = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

const call = z.object({
  method: z.string(),
  path: z.string().startsWith('/'),
  prefix: z.string().optional(),
  headers,
  body: body.optional(),
})
export type CaseCall = z.infer<typeof call>

const reply = z.object({
  /** Absent where the connection ended without an answer. */
  status: z.int().optional(),
  headers: headers.optional(),
  /** Absent where the body is no text, or was dropped. */
  body: z.union([z.string(), dropped.transform(() => undefined)]).optional(),
  /** The connection ended within the body. */
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
  /** A case that is written line by line learns these shapes after its header. */
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
/** Readers do not see the dropped body of a reply. */
export type WrittenStep = z.input<typeof caseStep>

export const recordingStart = z.object({ name: z.string().optional(), world: z.string(), startedAt: instant })

/** A case that ended by itself says why in its last line. */
export const caseEnd = z.strictObject({ ended: z.string() })
