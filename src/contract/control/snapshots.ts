import * as z from 'zod'
import { noContent } from '../operation.ts'
import { LARGEST_SNAPSHOT, SNAPSHOT_TYPE } from '../records/snapshot.ts'
import { defineControl } from './define.ts'

/** Words in upper case are placeholders. */
export const pactStates = [
  'the default fixtures',
  'operation N is unavailable',
  'the clock is at INSTANT',
  'snapshot FILE',
] as const
export type PactState = (typeof pactStates)[number]

const one = z.string().max(1000)

const pactStateChange = z.strictObject({
  state: one.optional().describe(`One of: ${pactStates.join('; ')}. If no state is given, nothing changes.`),
  states: z.array(one).max(100).optional().describe('Several states, applied in this order'),
  params: z.record(z.string(), z.unknown()).optional().describe('Ignored'),
  action: z
    .enum(['setup', 'teardown'])
    .optional()
    .describe('`teardown` removes the faults and resets the clock that `setup` changed. Other changes remain.'),
  consumer: z.string().max(1000).optional().describe('Ignored'),
})

const pactStateValues = z.object({
  serviceToken: z.string().optional().describe('Service token of the first seller in the fixtures'),
})
export type PactStateValues = z.output<typeof pactStateValues>

const snapshot = z
  .string()
  .describe(
    'JSON Lines: a header, one line per fault, record and image, and {"end":true}. Maximum line length: 16 MiB.',
  )

export const snapshotOperations = defineControl('Snapshot', {
  takeSnapshot: {
    summary: 'Take a snapshot',
    description: 'The complete state of the world as JSON Lines. Equal worlds give equal bytes.',
    produces: [SNAPSHOT_TYPE],
    reply: snapshot,
    otherStatuses: [429],
  },
  restoreSnapshot: {
    // The handler validates the snapshot, because null and empty fields are valid in records.
    validatesItself: true,
    consumes: [SNAPSHOT_TYPE],
    summary: 'Restore a snapshot',
    description: 'Replaces the state of the world and ends its open streams. An invalid snapshot changes nothing.',
    body: snapshot,
    reply: noContent,
    bodyLimit: LARGEST_SNAPSHOT,
    example: { needs: 'a snapshot, from takeSnapshot' },
  },
})

export const pactStateOperations = defineControl('Pact states', {
  changePactState: {
    summary: 'Change the provider state',
    description: 'State change URL for Pact verifiers. An unknown state returns 400 with a list of the known states.',
    body: pactStateChange.optional(),
    optionalBody: true,
    reply: pactStateValues,
    otherStatuses: [409],
    example: { body: { state: 'operation 30 is unavailable', action: 'setup' } },
  },
})
