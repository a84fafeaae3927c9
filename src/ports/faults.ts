import type { Fault, FaultDraft } from '../schemas/fault.ts'

/** Failures to provoke, kept with what they have done. */
export interface Faults {
  add(draft: FaultDraft, faultId: string): Fault
  list(): Fault[]
  /** Whether there are any: asked for every request. */
  any(): boolean
  /** Faults that fit a request, in the order they were added. */
  matching(request: { operation?: number | string | undefined; path?: string; soapOperation?: string }): Fault[]
  /** Counts a strike; a fault that has struck as often as it may is gone. */
  strike(faultId: string): void
  delete(faultId: string): boolean
  clear(): void
}
