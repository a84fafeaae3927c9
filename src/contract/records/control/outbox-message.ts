import * as z from 'zod'
import { instant } from '../formats.ts'

/** An e-mail or SMS is written in the transaction that causes it, and never sent. */
export const outboxMessage = z.object({
  messageId: z.string().describe('Id of the message'),
  channel: z.enum(['EMAIL', 'SMS']).describe('E-mail or SMS'),
  to: z.string().describe('Address or number'),
  subject: z.string().describe('Its subject'),
  text: z.string().describe('As plain text'),
  html: z.string().optional().describe('As a page'),
  /** Tests follow these addresses without parsing the text. */
  links: z
    .array(z.object({ rel: z.string().describe('What it is for'), href: z.string().describe('The address') }))
    .max(100),
  srid: z.string().optional().describe('The request it is about'),
  sentAt: instant.describe("When, by the world's clock"),
})
export type OutboxMessage = z.infer<typeof outboxMessage>
