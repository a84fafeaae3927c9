import { z } from 'zod'
import { instant } from '../formats.ts'

/** An e-mail or SMS the server would have sent. It is written in the transaction that causes it. */
export const outboxMessage = z.object({
  messageId: z.string(),
  channel: z.enum(['EMAIL', 'SMS']),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string().optional(),
  /** Addresses the message holds, for tests that follow them. */
  links: z.array(z.object({ rel: z.string(), href: z.string() })).max(100),
  srid: z.string().optional(),
  sentAt: instant,
})
export type OutboxMessage = z.infer<typeof outboxMessage>
