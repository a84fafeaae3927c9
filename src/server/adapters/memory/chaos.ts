import type { Faults, Variations } from '#server/ports/chaos.ts'
import { type Fault, isSpent, placeInProfile } from '#contract/records/control/fault.ts'
import type { Variation } from '#contract/records/control/variation.ts'

export function createMemoryFaults(initial: readonly Fault[] = []): Faults {
  let faults = [...initial]

  return {
    add(draft, faultId) {
      const added = { ...draft, faultId, struck: 0 }
      faults.push(added)
      return added
    },
    list: () => [...faults],
    any: () => faults.length > 0,
    strike(faultId) {
      const found = faults.find((fault) => fault.faultId === faultId)
      if (!found || isSpent(found)) return false
      faults = faults.map((fault) => (fault === found ? { ...fault, struck: fault.struck + 1 } : fault))
      return true
    },
    delete(faultId) {
      const before = faults.length
      faults = faults.filter((fault) => fault.faultId !== faultId)
      return faults.length < before
    },
    clear() {
      faults = []
    },
    setProfile(ofProfile) {
      faults = [...faults.filter(({ profile }) => profile === undefined), ...ofProfile]
    },
    setStruck(counts) {
      faults = faults.map((fault) =>
        fault.profile === undefined ? fault : { ...fault, struck: counts[placeInProfile(fault.faultId)] ?? 0 },
      )
    },
  }
}

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
