import * as z from 'zod'
import { noContent } from '../operation.ts'
import { instant } from '../records/formats.ts'
import { flag } from '../records/parameters.ts'
import { defineControl } from './define.ts'

const draft = z.strictObject({ name: z.string().max(200).optional().describe('Name of the case') })

const running = { needs: 'a recording that startRecording has started' }
const ending = {
  summary: 'Stop and discard the recording',
  reply: noContent,
  example: running,
} as const

export const recordingOperations = defineControl('Recordings', {
  startRecording: {
    summary: 'Start a recording',
    description: 'Records everything that happens in the world as a case that can be replayed.',
    body: draft.optional(),
    optionalBody: true,
    reply: z.object({ name: z.string().optional(), world: z.string(), startedAt: instant }),
    otherStatuses: [409],
    example: { body: { name: 'a booking that fails' } },
  },
  getRecording: {
    summary: 'Get the recorded case',
    description: 'The case so far: a header line and one line per step. Secrets are replaced with placeholders.',
    query: z.object({
      whole: flag
        .optional()
        .describe(
          'true: includes the complete initial state of the world. false: only its differences from the fixtures.',
        ),
    }),
    produces: ['application/jsonl'],
    reply: z.string().describe('JSON Lines'),
    example: running,
  },
  endRecording: ending,
  endRecordings: ending,
})
