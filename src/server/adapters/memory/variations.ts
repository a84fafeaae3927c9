import type { Variations } from '#server/ports/chaos.ts'
import type { Variation } from '#contract/records/control/variation.ts'

export function createMemoryVariations(initial?: Variation): Variations {
  let current = initial
  let ofProfile: Variation | undefined
  let replies = 0

  return {
    read: () => current ?? ofProfile,
    set(variation) {
      current = variation
      if (!variation) ofProfile = undefined
      replies = 0
    },
    setProfile(variation) {
      ofProfile = variation
    },
    next: () => ++replies,
  }
}
