import * as z from 'zod'
import { type ChoiceValues, choiceDraft } from './choice-values.ts'
import { filledText } from '../formats.ts'
import { sayNearest } from '../nearest.ts'
import { withoutEmpty, isSame } from '../plain-values.ts'
import { type FaultDraft, faultDraft, MOST_PROFILE_FAULTS } from './fault.ts'
import { type ReadyMade, readyMadeNames, readyMadeProfile } from './ready-made.ts'
import { type VariationDraft, variationDraft } from './variation.ts'

/** A profile describes another vendor: its choices, how its replies vary, and how it fails. */
export const vendorProfile = z.strictObject({
  profile: filledText(100).meta({
    description: 'Its name, which status, refusals and cases tell',
    example: 'their-staging',
  }),
  choices: choiceDraft.optional().meta({ description: 'Values by the ids of GET /_control/choices', type: 'object' }),
  variation: variationDraft.optional().describe('How replies vary'),
  faults: z.array(faultDraft).max(MOST_PROFILE_FAULTS).optional().describe('Failures that come and go with it'),
})
/** The reply may be sent as a profile again. */
export const profileReply = z.looseObject({
  profile: z.string().describe('Its name'),
  choices: z.record(z.string(), z.unknown()).optional().describe('Values by the ids of choices'),
}) as z.ZodType<VendorProfile>

export interface VendorProfile {
  /** Status, refusals and cases tell this name. */
  profile: string
  /** Keys are the ids of `GET /_control/choices`. */
  choices?: Partial<ChoiceValues> | undefined
  /** Replies vary so for as long as the profile is set. */
  variation?: VariationDraft | undefined
  /** These faults come and go with the profile. */
  faults?: FaultDraft[] | undefined
}

export type ProfileInput = VendorProfile | ReadyMade
export type ProfileAnswer = z.infer<typeof profileReply>

const isReadyMade = (name: unknown): name is ReadyMade => readyMadeNames.includes(name as ReadyMade)

const withoutAbsent = (value: unknown) => withoutEmpty(value, { keepsNull: [], keepsWhole: ['body', 'headers'] })

export const profileOrName = z
  .preprocess(
    (value, context) => {
      const given = withoutAbsent(value)
      if (isReadyMade(given)) return readyMadeProfile(given)
      if (typeof given === 'string') {
        const message = `names no profile that ships: ${given.slice(0, 100)}${sayNearest(given, readyMadeNames)}`
        context.addIssue({ code: 'custom', message, input: given })
      } else if (isReadyMade((given as { profile?: unknown } | undefined)?.profile)) {
        context.addIssue({ code: 'custom', message: 'is the name of one that ships', path: ['profile'], input: given })
      }
      return given
    },
    vendorProfile as z.ZodType<VendorProfile>,
  )
  .meta({
    description: 'What it does where the documents are silent, how its replies vary and how it fails; or a name',
    openapi: z.union([z.enum(readyMadeNames), vendorProfile]),
    example: 'strict',
  })

/** This setting keeps the instant from which a world's profile counts. */
export const PROFILE_SINCE = 'profile-since'

/** Snapshots and settings hold a shipped profile under its name, which no other profile may have. */
export const keptProfile = z.preprocess(
  withoutAbsent,
  (vendorProfile as z.ZodType<VendorProfile>).refine(
    (given) => !isReadyMade(given.profile) || isSame(given, readyMadeProfile(given.profile)),
    { path: ['profile'], error: 'is the name of one that ships, which is another' },
  ),
)

/** The text was checked when it was kept. */
export function readKeptProfile(kept: { value: string } | undefined): VendorProfile | undefined {
  return kept && (JSON.parse(kept.value) as VendorProfile)
}
