import * as z from 'zod'
import { instant } from '../formats.ts'

/** An email or SMS that is stored but never sent. */
export const outboxMessage = z.object({
  messageId: z.string().describe('Message ID'),
  channel: z.enum(['EMAIL', 'SMS']).describe('Email or SMS'),
  to: z.string().describe('Email address or phone number'),
  subject: z.string().describe('Subject line'),
  text: z.string().describe('Plain text body'),
  html: z.string().optional().describe('HTML body'),
  /** Links in the message, so that tests do not have to parse the text. */
  links: z
    .array(z.object({ rel: z.string().describe('Purpose of the link'), href: z.string().describe('URL') }))
    .max(100),
  srid: z.string().optional().describe('ID of the related service request'),
  sentAt: instant.describe('Creation time (world clock)'),
})
export type OutboxMessage = z.infer<typeof outboxMessage>
