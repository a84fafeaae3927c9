import type { Faults, Variations } from '#server/ports/chaos.ts'
import { type Fault, isSpent, placeInProfile } from '#contract/records/control/fault.ts'
import type { Variation } from '#contract/records/control/variation.ts'

export function createMemoryFaults(initial: readonly Fault[] = []): Faults {
  let faults = initial
  const byOperation = new Map<string, readonly Fault[]>()
  const own = () => faults.filter(({ profile }) => profile === undefined)
  const replace = (changed: readonly Fault[]) => {
    faults = changed
    byOperation.clear()
  }

  return {
    add(draft, faultId) {
      const added = { ...draft, faultId, hits: 0 }
      replace([...faults, added])
      return added
    },
    list: () => faults,
    own,
    of(operation) {
      const name = String(operation)
      const fits = ({ match }: Fault) => String(match.soapOperation ?? match.operation ?? name) === name
      const found = byOperation.get(name) ?? faults.filter(fits)
      byOperation.set(name, found)
      return found
    },
    applyFaults(faultId) {
      const found = faults.find((fault) => fault.faultId === faultId)
      if (!found || isSpent(found)) return false
      replace(faults.map((fault) => (fault === found ? { ...fault, hits: fault.hits + 1 } : fault)))
      return true
    },
    delete(faultId) {
      const before = faults.length
      replace(faults.filter((fault) => fault.faultId !== faultId))
      return faults.length < before
    },
    clear: () => replace([]),
    setProfile: (ofProfile) => replace([...own(), ...ofProfile]),
    setHits(counts) {
      const count = ({ faultId }: Fault) => counts[placeInProfile(faultId)] ?? 0
      replace(faults.map((fault) => (fault.profile === undefined ? fault : { ...fault, hits: count(fault) })))
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
