import * as z from 'zod'
import { type ChoiceValues, choiceDraft } from './choice-values.ts'
import { filledText } from '../formats.ts'
import { suggestNearest } from '../nearest.ts'
import { withoutEmpty, isSame } from '../plain-values.ts'
import { type FaultDraft, faultDraft, MOST_PROFILE_FAULTS, profileNames } from './fault.ts'
import { type ReadyMade, readyMadeNames, readyMadeProfile } from './ready-made.ts'
import { type VariationDraft, variationDraft } from './variation.ts'

/** Defines how a world behaves in cases that the documents do not specify: choices, response variation and faults. */
export const vendorProfile = z.strictObject({
  profile: filledText(100).meta({
    description: 'Name of the profile, shown in status, errors and cases',
    example: 'their-staging',
  }),
  choices: choiceDraft
    .optional()
    .meta({ description: 'Values by choice ID, see GET /_control/choices', type: 'object' }),
  variation: variationDraft.optional().describe('Response variation'),
  faults: z
    .array(faultDraft)
    .max(MOST_PROFILE_FAULTS)
    .optional()
    .describe('Faults that are active while the profile is applied'),
})
export const profileReply = z.looseObject({
  profile: z.string().describe('Name of the profile'),
  choices: z.record(z.string(), z.unknown()).optional().describe('Values by choice ID'),
}) as z.ZodType<VendorProfile>

export interface VendorProfile {
  /** Name of the profile, displayed in the status, errors and cases. */
  profile: string
  /** Values by choice ID. See `GET /_control/choices`. */
  choices?: Partial<ChoiceValues> | undefined
  /** Variation of responses. */
  variation?: VariationDraft | undefined
  /** Faults that are active while the profile is applied. */
  faults?: FaultDraft[] | undefined
}

export type ProfileInput = VendorProfile | ReadyMade
export type ProfileAnswer = z.infer<typeof profileReply>

const isReadyMade = (name: unknown): name is ReadyMade => readyMadeNames.includes(name as ReadyMade)

const withoutAbsent = (value: unknown) => withoutEmpty(value, { keepsNull: [], keepsUnchanged: ['body', 'headers'] })

export const profileOrName = z
  .preprocess(
    (value, context) => {
      const given = withoutAbsent(value)
      if (isReadyMade(given)) return readyMadeProfile(given)
      if (typeof given === 'string') {
        const message = profileNames.some((each) => each === given)
          ? `${given} is a fault profile. Apply it to a world with POST /_control/faults/profiles/${given}`
          : `${given.slice(0, 100)} is not a built-in profile${suggestNearest(given, readyMadeNames)}`
        context.addIssue({ code: 'custom', message, input: given })
      } else if (isReadyMade((given as { profile?: unknown } | undefined)?.profile)) {
        const message =
          'is the name of a built-in profile. Use another name, or only this name, a JSON string, without other fields'
        context.addIssue({ code: 'custom', message, path: ['profile'], input: given })
      }
      return given
    },
    vendorProfile as z.ZodType<VendorProfile>,
  )
  .meta({
    description: 'Profile with choices, variation and faults, or the name of a built-in profile',
    openapi: z.union([z.enum(readyMadeNames), vendorProfile]),
    example: 'strict',
  })

export const PROFILE_SINCE = 'profile-since'

/** A stored profile. Only a profile that is identical to a built-in profile may have the name of that profile. */
export const storedProfile = z.preprocess(
  withoutAbsent,
  (vendorProfile as z.ZodType<VendorProfile>).refine(
    (given) => !isReadyMade(given.profile) || isSame(given, readyMadeProfile(given.profile)),
    { path: ['profile'], error: 'is the name of a built-in profile with other values' },
  ),
)

/** Not validated here, because `setting` validates the value when it is stored. */
export function readStoredProfile(kept: { value: string } | undefined): VendorProfile | undefined {
  return kept && (JSON.parse(kept.value) as VendorProfile)
}
