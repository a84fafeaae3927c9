import { toChoiceValues } from '#contract/records/control/choice-values.ts'
import { type Fault, PROFILE_HITS, readStoredHits, toProfileFaultId } from '#contract/records/control/fault.ts'
import { toVariation, type Variation } from '#contract/records/control/variation.ts'
import { PROFILE_SINCE, readStoredProfile, type VendorProfile } from '#contract/records/control/vendor-profile.ts'
import { type Stored, readSource, type WorldRecords } from '../adapters/record.ts'
import type { Ports } from '../ports.ts'
import type { Store } from '../ports/store.ts'

/** Name of the setting that contains the profile. The setting is a record, so forks and snapshots include it. */
const NAME = 'profile'
const SINCE = PROFILE_SINCE
const OF_PROFILE: readonly unknown[] = [NAME, SINCE, PROFILE_HITS]
const isOther = ({ name }: Stored) => !OF_PROFILE.includes(name)

export function withProfile(
  records: WorldRecords,
  profile: VendorProfile | null | undefined,
  now: number,
): WorldRecords {
  const others = readSource(records.get('settings')).filter(isOther)
  return new Map(records).set('settings', [...others, ...(profile ? toSettings(profile, now) : [])])
}

export interface StoredProfile {
  profile: VendorProfile | undefined
  hits: readonly number[]
}

export function profileOf(records: WorldRecords): StoredProfile {
  const settings = readSource(records.get('settings')) as readonly Readonly<{ name: string; value: string }>[]
  const find = (wanted: string) => settings.find(({ name }) => name === wanted)
  return { profile: readStoredProfile(find(NAME)), hits: readStoredHits(find(PROFILE_HITS)) }
}

export async function readProfile({ settings }: Store): Promise<StoredProfile> {
  const profile = readStoredProfile(await settings.get(NAME))
  return { profile, hits: profile?.faults ? readStoredHits(await settings.get(PROFILE_HITS)) : [] }
}

export function writeProfile(store: Store, profile: VendorProfile | undefined, now: number): Promise<void> {
  return store.transaction(async (tx) => {
    for (const name of [NAME, SINCE, PROFILE_HITS]) await tx.settings.delete(name)
    // If variation was ended manually under the previous profile, the variation of the new profile applies again.
    if ((await tx.settings.get(VARIATION))?.value === 'null') await tx.settings.delete(VARIATION)
    if (profile) for (const each of toSettings(profile, now)) await tx.settings.put(each)
  })
}

/** Applies on all instances, but is not part of forks, snapshots and cases. */
const VARIATION = 'variation'

export function withoutVariation<State extends { records: WorldRecords }>(state: State): State {
  const all = readSource(state.records.get('settings'))
  const settings = all.filter(({ name }) => name !== VARIATION)
  // Returns the same object if possible, because an engine can share records only if it recognizes the object.
  if (settings.length === all.length) return state
  return { ...state, records: new Map(state.records).set('settings', settings) }
}

/** `by` is absent if nothing was set manually, and null if all variation was ended manually. */
export async function readVariation({ settings }: Store): Promise<{ by?: Variation | null }> {
  const kept = await settings.get(VARIATION)
  return kept ? { by: JSON.parse(kept.value) as Variation | null } : {}
}

export function writeVariation(store: Store, variation: Variation | undefined): Promise<void> {
  return store.transaction((tx) => tx.settings.put({ name: VARIATION, value: JSON.stringify(variation ?? null) }))
}

/** Applies a profile to the world. Manual settings remain in effect. */
export function applyProfile({ world, faults, variations }: Ports, { profile, hits }: StoredProfile): void {
  world.profile = profile
  world.choices = toChoiceValues({ ...world.usual, ...profile?.choices })
  // The profile has already been validated, which also converted methods to upper case.
  const drafts = (profile?.faults ?? []) as Omit<Fault, 'faultId' | 'hits'>[]
  faults.setProfile(
    drafts.map((draft, i) => ({ ...draft, faultId: toProfileFaultId(i), hits: 0, profile: profile!.profile })),
  )
  faults.setHits(hits)
  variations.setProfile(profile?.variation && toVariation(profile.variation, world))
}

export async function refresh(ports: Ports): Promise<void> {
  const { store, world, faults, variations } = ports
  const kept = await readProfile(store)
  if (JSON.stringify(kept.profile) !== JSON.stringify(world.profile)) applyProfile(ports, kept)
  // The profile is the same. If the same profile was set again, its stored hit counts are 0.
  else faults.setHits(kept.hits)
  const { by } = await readVariation(store)
  if (by === undefined || JSON.stringify(by) === JSON.stringify(variations.read() ?? null)) return
  variations.set(by ?? undefined)
}

const toSettings = (profile: VendorProfile, now: number) => [
  { name: NAME, value: JSON.stringify(profile) },
  { name: SINCE, value: new Date(now).toISOString() },
]
