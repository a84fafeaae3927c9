import * as z from 'zod'
import { instant } from '../formats.ts'
import { requestMatch } from './request-match.ts'
import { respond } from './fault-response.ts'

export const soapOperations = ['createServiceToken', 'getSubscriptionStatus'] as const

const distinguishes = (value: unknown) =>
  value !== undefined && (typeof value !== 'object' || Object.keys(Object(value)).length > 0)

/** All criteria must match. An empty match is rejected, because it would affect every request. */
const match = z
  .strictObject({
    ...requestMatch.shape,
    soapOperation: z.enum(soapOperations).optional().describe('SOAP operation of the billing API'),
  })
  .refine((given) => Object.values(given).some(distinguishes), 'must have at least one condition')

const milliseconds = z.int().min(0).max(600_000)
const delay = z.union(
  [
    milliseconds,
    z
      .strictObject({
        min: milliseconds.describe('Minimum delay in milliseconds'),
        max: milliseconds.describe('Maximum delay in milliseconds'),
      })
      .refine(({ min, max }) => min <= max, 'must have min less than or equal to max'),
    z
      .strictObject({
        p50: milliseconds.min(1).describe('Median delay in milliseconds'),
        p99: milliseconds.min(1).describe('99th percentile of the delay in milliseconds'),
      })
      .refine(({ p50, p99 }) => p50 <= p99, 'must have p50 less than or equal to p99'),
  ],
  'must be milliseconds up to 600000, {min, max} or {p50, p99}, the smaller first',
)
export type FaultDelay = z.infer<typeof delay>

interface Drafted {
  respond?: unknown
  delayMs?: unknown
  from?: string | undefined
  until?: string | undefined
}

export function validateDraft({ value, issues }: z.core.ParsePayload<Drafted>): void {
  const { respond: reply, delayMs, from, until } = value
  const refuse = (field: keyof Drafted, message: string) =>
    issues.push({ code: 'custom', input: value[field], path: [field], message, continue: true })
  if ((reply ?? delayMs) === undefined) refuse('respond', 'is required unless delayMs is given')
  if (from !== undefined && until !== undefined && Date.parse(from) >= Date.parse(until)) {
    refuse('until', 'must be after from')
  }
}

export const faultDraft = z
  .strictObject({
    match: match.describe('Requests that the fault affects'),
    respond: respond
      .optional()
      .describe('Response that replaces the real response. Without it, the fault only delays the request.'),
    when: z
      .enum(['before', 'after'])
      .optional()
      .describe(
        '`before` (default): responds instead of running the operation. `after`: runs the operation, then loses ' +
          'or changes its response.',
      ),
    delayMs: delay
      .optional()
      .describe('Delay in milliseconds of real time. Without `respond`, the request is only delayed.'),
    times: z.int().min(1).optional().describe('Maximum number of affected requests. Default: unlimited.'),
    from: instant.optional().describe('Start of the period in which the fault is active (world clock)'),
    until: instant.optional().describe('End of the period in which the fault is active (world clock, exclusive)'),
    probability: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('Probability that a matching request is affected. Default: 1.'),
    name: z.string().max(100).optional().describe('Name of the fault in the journal and in lists'),
  })
  .check(validateDraft)
export type FaultDraft = z.input<typeof faultDraft>

export const fault = z.object({
  ...faultDraft.shape,
  faultId: z.string().describe('ID of the fault'),
  hits: z.int().min(0).describe('Number of affected requests so far'),
  profile: z.string().optional().describe('Name of the profile that the fault belongs to'),
})
export type Fault = z.output<typeof fault>

export const profileNames = ['flaky', 'slow', 'brownout', 'lost-answers', 'gateway', 'maintenance'] as const
export type ProfileName = (typeof profileNames)[number]

export function isSpent({ hits, times }: Pick<Fault, 'hits' | 'times'>): boolean {
  return times !== undefined && hits >= times
}

/** Name of the setting that contains the hit count of each fault in the profile, in the order of the faults. */
export const PROFILE_HITS = 'profile-hits'

export const MOST_PROFILE_FAULTS = 100

export const profileHits = z.array(z.int().min(0)).max(MOST_PROFILE_FAULTS)

const PREFIX = 'profile-'

export function toProfileFaultId(place: number): string {
  return `${PREFIX}${place + 1}`
}

export function placeInProfile(faultId: string): number {
  return Number(faultId.slice(PREFIX.length)) - 1
}

/** Not validated here, because `setting` validates the value when it is stored. */
export function readStoredHits(kept: { value: string } | undefined): readonly number[] {
  return kept ? (JSON.parse(kept.value) as number[]) : []
}
