import { choiceOperations, profileOperations, sessionOperations } from '#contract/control/choices.ts'
import type { VendorProfile } from '#contract/records/control/vendor-profile.ts'
import { listChoices } from '../domain/control/choices.ts'
import { requireProfile, setProfile } from '../domain/control/profiles.ts'
import { renewSession } from '../domain/sessions.ts'
import type { KnownPath } from '../http/known-paths.ts'
import { implementControl } from './context.ts'
import { toKnownFault } from './known-operations.ts'

export const choices = implementControl(choiceOperations, {
  listChoices: async ({ ports }) => listChoices(ports),
})

export const profiles = implementControl(profileOperations, {
  setProfile: async ({ ports, body, server }) => {
    const profile = toKnownProfile(body, 'body', server.knownPaths.list())
    return { ...(await setProfile(ports, profile)) }
  },
  getProfile: async ({ ports }) => ({ ...requireProfile(ports) }),
  endProfile: async ({ ports }) => ports.setProfile(undefined),
})

export const sessions = implementControl(sessionOperations, {
  renewSession: async ({ ports, body }) => renewSession(ports, body.identity),
})

/** Faults of the profile name their operations as the journal does; a fault that could never strike is refused. */
export function toKnownProfile(profile: VendorProfile, target: string, known: readonly KnownPath[]): VendorProfile {
  const { faults } = profile
  if (!faults) return profile
  return { ...profile, faults: faults.map((draft, i) => toKnownFault(draft, `${target}.faults[${i}]`, known)) }
}
