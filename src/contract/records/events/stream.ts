import * as z from 'zod'
import { instant } from '../formats.ts'
import { subscriptionId } from './subscription.ts'

export const chaos = z.strictObject({
  action: z.enum(['drop', 'truncate', 'duplicate', 'delay', 'goodbye', 'stall', 'no-welcome']).meta({
    description:
      'drop: reset now; truncate: the next frame is cut where `at` says, then reset; duplicate: the next event twice ' +
      'with one id; delay: the next event by `ms`; goodbye: control event, then end; stall: nothing for `ms`; ' +
      'no-welcome: on the next open',
    example: 'drop',
  }),
  at: z.enum(['middle', 'id']).optional().meta({
    description: 'Where truncate cuts: in the middle of the frame unless told, or behind its `id:` line',
    example: 'middle',
  }),
  ms: z.int().min(0).max(3_600_000).default(5000).meta({ description: 'Milliseconds of real time', example: 5000 }),
})
export type Chaos = z.infer<typeof chaos>
export type ChaosInput = z.input<typeof chaos>

/** `ended` is a silent end: the stream was taken over, or its token is over. */
export type StreamEnding = 'left' | 'ended' | 'goodbye' | 'reset' | 'truncated'

export const streamDescription = z.object({
  subscriptionId,
  name: z.string().describe('Of the subscription'),
  user: z.string().describe('Whose it is'),
  generation: z.int().meta({ description: 'How many times the subscription was opened', example: 3 }),
  openedAt: instant.describe("When, by the world's clock"),
  eventsSent: z.int().describe('Since it was opened'),
  bytesWaiting: z.int().meta({ description: 'What the reader has not taken yet', example: 0 }),
})
export type StreamDescription = z.infer<typeof streamDescription>
