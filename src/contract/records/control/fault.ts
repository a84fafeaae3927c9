import * as z from 'zod'
import { instant } from '../formats.ts'
import { requestMatch } from './request-match.ts'
import { respond } from './fault-response.ts'

export const soapOperations = ['createServiceToken', 'getSubscriptionStatus'] as const

/** An empty object fits every request, so it tells none apart. */
const tellsApart = (value: unknown) =>
  value !== undefined && (typeof value !== 'object' || Object.keys(Object(value)).length > 0)

/** All that is given must fit; an empty match would strike every request and is refused. */
const match = z
  .strictObject({ ...requestMatch.shape, soapOperation: z.enum(soapOperations).optional().describe('Of document 3') })
  .refine((given) => Object.values(given).some(tellsApart), 'must name at least one thing to match')

const milliseconds = z.int().min(0).max(600_000)
const delay = z.union(
  [
    milliseconds,
    z
      .strictObject({ min: milliseconds.describe('From'), max: milliseconds.describe('To') })
      .refine(({ min, max }) => min <= max, 'must have min up to max'),
    z
      .strictObject({
        p50: milliseconds.min(1).describe('Half of them take less'),
        p99: milliseconds.min(1).describe('99 of 100 take less'),
      })
      .refine(({ p50, p99 }) => p50 <= p99, 'must have p50 up to p99'),
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

/** These rules concern several fields together, which no schema of one field can say. */
export function judgeDraft({ value, issues }: z.core.ParsePayload<Drafted>): void {
  const { respond: reply, delayMs, from, until } = value
  const refuse = (field: keyof Drafted, message: string) =>
    issues.push({ code: 'custom', input: value[field], path: [field], message, continue: true })
  if ((reply ?? delayMs) === undefined) refuse('respond', 'is required unless delayMs is given')
  if (from !== undefined && until !== undefined && Date.parse(from) >= Date.parse(until)) {
    refuse('until', 'must be behind from')
  }
}

export const faultDraft = z
  .strictObject({
    match: match.describe('Which requests it is for'),
    respond: respond.optional().describe('What is answered in place of the reply; only a delay without it'),
    when: z
      .enum(['before', 'after'])
      .optional()
      .meta({ description: '`after`: the work is done and kept, then the answer is lost or changed' }),
    delayMs: delay.optional().meta({ description: 'Milliseconds of real time; alone it only delays' }),
    times: z.int().min(1).optional().meta({ description: 'How often it strikes; always, when left out' }),
    from: instant.optional().describe("Strikes from this instant of the world's clock on: a maintenance window"),
    until: instant.optional().describe('Strikes before this instant, and no more at it'),
    probability: z.number().min(0).max(1).optional().meta({ description: 'How likely it strikes a request that fits' }),
    name: z.string().max(100).optional().describe('How journal and lists call it'),
  })
  .check(judgeDraft)
export type FaultDraft = z.input<typeof faultDraft>

export const fault = z.object({
  ...faultDraft.shape,
  faultId: z.string().describe('Names it to remove it'),
  struck: z.int().min(0).meta({ description: 'How often it has struck' }),
  profile: z.string().optional().describe('The profile that it belongs to'),
})
export type Fault = z.output<typeof fault>

export const profileNames = ['flaky', 'slow', 'brownout', 'lost-answers', 'gateway', 'maintenance'] as const
export type ProfileName = (typeof profileNames)[number]

export function isSpent({ struck, times }: Pick<Fault, 'struck' | 'times'>): boolean {
  return times !== undefined && struck >= times
}

/** This setting keeps how often each fault of a world's profile has struck, in the order of the faults. */
export const PROFILE_STRUCK = 'profile-struck'

export const MOST_PROFILE_FAULTS = 100

export const profileStruck = z.array(z.int().min(0)).max(MOST_PROFILE_FAULTS)

const PREFIX = 'profile-'

/** Faults of a profile are numbered from 1. */
export function toProfileFaultId(place: number): string {
  return `${PREFIX}${place + 1}`
}

export function placeInProfile(faultId: string): number {
  return Number(faultId.slice(PREFIX.length)) - 1
}

/** The text was checked when it was kept. */
export function readKeptStruck(kept: { value: string } | undefined): readonly number[] {
  return kept ? (JSON.parse(kept.value) as number[]) : []
}
