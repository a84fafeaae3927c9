import * as z from 'zod'
import { noContent } from '../operation.ts'
import { LARGEST_SNAPSHOT, SNAPSHOT_TYPE } from '../records/snapshot.ts'
import { defineControl } from './define.ts'

/** Capitals stand for a value of the pact. */
export const pactStates = [
  'the default fixtures',
  'operation N is unavailable',
  'the clock is at INSTANT',
  'snapshot FILE',
] as const
export type PactState = (typeof pactStates)[number]

const one = z.string().max(1000)

/** Pact's verifiers send this form. */
const pactStateChange = z.strictObject({
  state: one.optional().meta({ description: `One of: ${pactStates.join('; ')}. None changes nothing` }),
  states: z.array(one).max(100).optional().describe('Several, in their order'),
  params: z.record(z.string(), z.unknown()).optional().describe('Not looked at'),
  action: z.enum(['setup', 'teardown']).optional().describe('teardown takes back faults and clock; the rest stays'),
  consumer: z.string().max(1000).optional().describe('Not looked at'),
})

/** Generators of a pact use these values, such as `${serviceToken}`. */
const pactStateValues = z.object({
  serviceToken: z.string().optional().describe('A token of the first seller of the fixtures'),
})
export type PactStateValues = z.output<typeof pactStateValues>

const snapshot = z.string().meta({
  description: 'JSON Lines: a header, a line per fault, record and image, and {"end":true}. A line has at most 16 MiB',
})

export const snapshotOperations = defineControl('Snapshot', {
  takeSnapshot: {
    summary: 'Read the whole world as canonical JSON Lines',
    produces: [SNAPSHOT_TYPE],
    reply: snapshot,
    otherStatuses: [429],
  },
  restoreSnapshot: {
    // Null and empty fields of records mean something: the domain reads the lines as they are.
    validatesItself: true,
    consumes: [SNAPSHOT_TYPE],
    summary: 'Restore a world, whole or not at all; live streams end',
    body: snapshot,
    reply: noContent,
    bodyLimit: LARGEST_SNAPSHOT,
    example: { needs: 'a snapshot, from takeSnapshot' },
  },
})

export const pactStateOperations = defineControl('Pact states', {
  changePactState: {
    summary: 'The state change address for verifiers of Pact; an unknown state is 400 and lists those that there are',
    body: pactStateChange.optional(),
    optionalBody: true,
    reply: pactStateValues,
    otherStatuses: [409],
    example: { body: { state: 'operation 30 is unavailable', action: 'setup' } },
  },
})
