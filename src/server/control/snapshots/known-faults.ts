import { readKeptProfile } from '#contract/records/control/vendor-profile.ts'
import { recordsOf, type Snapshot } from '#contract/records/snapshot.ts'
import type { ReadSnapshot } from '#contract/records/snapshot-reading.ts'
import type { KnownPath } from '#server/http/known-paths.ts'
import type { Fault } from '#contract/records/control/fault.ts'
import { yielding } from '#server/ports/yielding.ts'
import { toKnownProfile } from '../choices.ts'
import { toKnownFault } from '../known-operations.ts'

/** The snapshot whose faults, those of its profile too, name operations as the journal does; others are refused. */
export async function toKnownSnapshot(
  { snapshot, targets }: ReadSnapshot,
  known: readonly KnownPath[],
): Promise<Snapshot> {
  const faults: Fault[] = []
  for await (const fault of yielding(snapshot.faults)) faults.push(toKnownFault(fault, targets.get(fault)!, known))
  const settings = recordsOf(snapshot, 'settings')
  const setting = settings.find(({ name }) => name === 'profile')
  const profile = readKeptProfile(setting as { value: string } | undefined)
  if (!setting || !profile?.faults) return { ...snapshot, faults }
  const value = JSON.stringify(toKnownProfile(profile, `${targets.get(setting)}.value`, known))
  const named = settings.map((each) => (each === setting ? { ...setting, value } : each))
  return { ...snapshot, faults, records: { ...snapshot.records, settings: named } }
}
