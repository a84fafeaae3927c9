import type { Variations } from '../../ports/chaos.ts'
import type { Variation } from '../../../contract/records/control/variation.ts'

export function createMemoryVariations(initial?: Variation): Variations {
  let current = initial
  let replies = 0

  return {
    read: () => current,
    set(variation) {
      current = variation
      replies = 0
    },
    next: () => ++replies,
  }
}
