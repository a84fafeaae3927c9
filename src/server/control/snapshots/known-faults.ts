import { readKeptProfile } from '../../../contract/records/control/vendor-profile.ts'
import { recordsOf, type Snapshot } from '../../../contract/records/snapshot.ts'
import type { KnownPath } from '../../http/known-paths.ts'
import type { Ports } from '../../ports.ts'
import { toKnownProfile } from '../choices.ts'
import { toKnownFault } from '../known-operations.ts'

/** The snapshot whose faults, those of its profile too, name operations as the journal does; others are refused. */
export async function toKnownSnapshot(
  snapshot: Snapshot,
  { turns }: Pick<Ports, 'turns'>,
  known: readonly KnownPath[],
): Promise<Snapshot> {
  const faults: Snapshot['faults'] = []
  for (const [i, fault] of snapshot.faults.entries()) {
    faults.push(toKnownFault(fault, `body.faults[${i}]`, known))
    await turns.give()
  }
  const settings = recordsOf(snapshot, 'settings')
  const at = settings.findIndex(({ name }) => name === 'profile')
  const profile = readKeptProfile(settings[at] as { value: string } | undefined)
  if (!profile?.faults) return { ...snapshot, faults }
  const value = JSON.stringify(toKnownProfile(profile, `body.records.settings[${at}].value`, known))
  const named = settings.with(at, { ...settings[at], value })
  return { ...snapshot, faults, records: { ...snapshot.records, settings: [...named] } }
}
