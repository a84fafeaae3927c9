import * as z from 'zod'
import { instant } from '../formats.ts'
import { subscriptionId } from './subscription.ts'

export const chaos = z.strictObject({
  action: z.enum(['drop', 'truncate', 'duplicate', 'delay', 'goodbye', 'stall', 'no-welcome']).meta({
    description:
      'drop: resets the connection. truncate: cuts the next frame at `at` and resets the connection. duplicate: ' +
      'sends the next event twice with the same ID. delay: delays the next event by `ms`. goodbye: sends a ' +
      'goodbye event and ends the stream. The subscription remains. stall: sends nothing for `ms`. no-welcome: ' +
      'sends no welcome event the next time the stream is opened.',
    example: 'drop',
  }),
  at: z.enum(['middle', 'id']).optional().meta({
    description: 'Position where `truncate` cuts: in the middle of the frame (default) or after its `id:` line',
    example: 'middle',
  }),
  ms: z
    .int()
    .min(0)
    .max(3_600_000)
    .default(5000)
    .meta({ description: 'Duration of delay and stall in milliseconds of real time', example: 5000 }),
})
export type Chaos = z.infer<typeof chaos>
export type ChaosInput = z.input<typeof chaos>

/**
 * `ended` means that the stream was closed without a final event, because another stream replaced it or its token
 * expired.
 */
export type StreamEnding = 'left' | 'ended' | 'goodbye' | 'reset' | 'truncated'

export const streamDescription = z.object({
  subscriptionId,
  name: z.string().describe('Name of the subscription'),
  user: z.string().describe('Owner of the subscription'),
  generation: z.int().meta({ description: 'Number of connections to the subscription so far', example: 3 }),
  openedAt: instant.describe('Time when the stream was opened (world clock)'),
  eventsSent: z.int().describe('Number of events sent since the stream was opened'),
  bytesWaiting: z.int().meta({ description: 'Bytes that the client has not read yet', example: 0 }),
})
export type StreamDescription = z.infer<typeof streamDescription>
