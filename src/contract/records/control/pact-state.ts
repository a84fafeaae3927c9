import { z } from 'zod'

/** Capitals stand for a value of the pact. */
export const pactStates = [
  'the default fixtures',
  'operation N is unavailable',
  'the clock is at INSTANT',
  'purchase ID is cancelled',
  'the slot DATE TIME at ASC is full',
  'a ticket in status S for BPNO',
  'profile NAME',
  'snapshot FILE',
] as const
export type PactState = (typeof pactStates)[number]

const one = z.string().max(1000)

/** Pact's verifiers send this form. */
export const pactStateChange = z.strictObject({
  state: one.optional().meta({ description: `One of: ${pactStates.join('; ')}. None changes nothing` }),
  states: z.array(one).max(100).optional().describe('Several, in their order'),
  params: z.record(z.string(), z.unknown()).optional().describe('Not looked at'),
  action: z.enum(['setup', 'teardown']).optional().describe('teardown takes back faults and clock; the rest stays'),
  consumer: z.string().max(1000).optional().describe('Not looked at'),
})
export type PactStateChange = z.output<typeof pactStateChange>

/** Generators of a pact use these values, such as `${srid}`. */
export const pactStateValues = z.object({
  srid: z.string().optional().describe('Of the ticket'),
  ticketNumber: z.string().optional().describe('Of the ticket'),
  purchaseID: z.string().optional().describe('Of the purchase'),
  serviceToken: z.string().optional().describe("A token of the purchase's seller, or of the first of the fixtures"),
})
export type PactStateValues = z.output<typeof pactStateValues>
