import * as z from 'zod'
import { noContent } from '../operation.ts'
import { instant } from '../records/formats.ts'
import { flag } from '../records/parameters.ts'
import { defineControl } from './define.ts'

const draft = z.strictObject({ name: z.string().max(200).optional().meta({ description: 'What the case is called' }) })

const running = { needs: 'a recording that runs, from startRecording' }
const ending = {
  summary: 'End the recording; its case is gone',
  reply: noContent,
  example: running,
} as const

export const recordingOperations = defineControl('Recordings', {
  startRecording: {
    summary: 'Record what happens in the world from now on, as a case that can be replayed',
    body: draft.optional(),
    optionalBody: true,
    reply: z.object({ name: z.string().optional(), world: z.string(), startedAt: instant }),
    otherStatuses: [409],
    example: { body: { name: 'a booking that fails' } },
  },
  getRecording: {
    summary: 'The case so far: a header, then a line a step; secrets are left out',
    query: z.object({
      whole: flag.optional().meta({
        description: 'Whether it holds all that the world began with, in the place of what differs from the fixtures',
      }),
    }),
    produces: ['application/jsonl'],
    reply: z.string().meta({ description: 'JSON Lines' }),
    example: running,
  },
  endRecording: ending,
  endRecordings: ending,
})
