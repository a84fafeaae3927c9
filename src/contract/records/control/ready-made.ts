import type { ChoiceValues } from './choice-values.ts'
import { draftsOf } from './fault-profiles.ts'
import type { FaultDraft } from './fault.ts'
import type { VariationDraft } from './variation.ts'

/** docs/profiles.md describes each of them. */
export const readyMadeNames = ['strict', 'lenient', 'rough'] as const
export type ReadyMade = (typeof readyMadeNames)[number]

interface Ready {
  choices: Partial<ChoiceValues>
  variation?: VariationDraft
  faults?: FaultDraft[]
}

const profiles: Readonly<Record<ReadyMade, Ready>> = {
  /** Each value is the reading that is harder on a client. */
  strict: {
    choices: {
      'guest-identity': 'required',
      'address-check': 'city',
      'page-max': 50,
      'page-size': 10,
      'session-lifetime': 'PT1H',
      'rate-limit': { requests: 120, per: 'PT1M' },
      'stream-lifetime': 'PT4H',
      'error-shape': 'empty',
    },
  },
  lenient: {
    choices: {
      'zip-plus-four': 'accepted',
      'address-check': 'off',
      'page-max': 1000,
      'cancel-nothing': 204,
    },
  },
  rough: {
    choices: {
      'cancel-nothing': 204,
      'created-status': 201,
      'ticket-progress': 'auto',
    },
    variation: {},
    faults: draftsOf('gateway'),
  },
}

export function readyMadeProfile(name: ReadyMade) {
  return { profile: name, ...profiles[name] }
}
