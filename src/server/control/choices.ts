import { choiceOperations, profileOperations, sessionOperations } from '#contract/control/choices.ts'
import { type ChoiceValues, describeAllowed } from '#contract/records/control/choice-values.ts'
import type { VendorProfile } from '#contract/records/control/vendor-profile.ts'
import { choices as allChoices } from '#contract/rules.ts'
import { notFound } from '../domain/errors.ts'
import { renewSession } from '../domain/sessions.ts'
import type { KnownPath } from '../http/known-paths.ts'
import { implementControl } from './context.ts'
import { toKnownFault } from '../chaos/known-operations.ts'

export const choices = implementControl(
  { ...choiceOperations, ...profileOperations, ...sessionOperations },
  {
    listChoices: async ({ ports: { world } }) => {
      const items = allChoices.map(({ schema, operations, ...choice }) => ({
        ...choice,
        operations: [...operations],
        source: `our choice: ${choice.id}`,
        value: schema ? world.choices[choice.id as keyof ChoiceValues] : null,
        ...(schema && { allowed: describeAllowed(schema) }),
      }))
      return { items, totalCount: items.length }
    },

    setProfile: async ({ ports, body, server }) => {
      const profile = toKnownProfile(body, 'body', server.knownPaths.list())
      await ports.setProfile(profile)
      return { ...profile }
    },
    getProfile: async ({ ports: { world } }) => {
      if (world.profile) return { ...world.profile }
      throw notFound('this world has no profile', 'our choice: control-refusals')
    },
    endProfile: async ({ ports }) => ports.setProfile(undefined),

    renewSession: async ({ ports, body }) => renewSession(ports, body.identity),
  },
)

/** Names operations as in the journal. Rejects a fault that could never apply. */
export function toKnownProfile(profile: VendorProfile, target: string, known: readonly KnownPath[]): VendorProfile {
  const { faults } = profile
  if (!faults) return profile
  return { ...profile, faults: faults.map((draft, i) => toKnownFault(draft, `${target}.faults[${i}]`, known)) }
}
