import type { ChoiceValues } from '../choices/settable.ts'
import type { FaultDraft } from './fault.ts'
import type { VariationDraft } from './variation.ts'

/** Profiles that ship: docs/profiles.md tells them. */
export const readyMadeNames = ['strict', 'lenient', 'rough'] as const
export type ReadyMade = (typeof readyMadeNames)[number]

interface Ready {
  choices: Partial<ChoiceValues>
  variation?: VariationDraft
  faults?: FaultDraft[]
}

const profiles: Readonly<Record<ReadyMade, Ready>> = {
  /** In every case the reading that is harder on a client. */
  strict: { choices: { 'guest-identity': 'required', 'address-check': 'city' } },
  lenient: { choices: { 'zip-plus-four': 'accepted', 'address-check': 'off', 'cancel-nothing': 204 } },
  rough: { choices: { 'cancel-nothing': 204, 'created-status': 201 }, variation: {} },
}

export function readyMadeProfile(name: ReadyMade) {
  return { profile: name, ...profiles[name] }
}
