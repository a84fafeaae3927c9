import { z } from 'zod'

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
export const pactStateChange = z.strictObject({
  state: one.optional().meta({ description: `One of: ${pactStates.join('; ')}. None changes nothing` }),
  states: z.array(one).max(100).optional().describe('Several, in their order'),
  params: z.record(z.string(), z.unknown()).optional().describe('Not looked at'),
  action: z.enum(['setup', 'teardown']).optional().describe('teardown takes back faults and clock; the rest stays'),
  consumer: z.string().max(1000).optional().describe('Not looked at'),
})

/** Generators of a pact use these values, such as `${serviceToken}`. */
export const pactStateValues = z.object({
  serviceToken: z.string().optional().describe('A token of the first seller of the fixtures'),
})
export type PactStateValues = z.output<typeof pactStateValues>
