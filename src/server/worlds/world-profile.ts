import { toChoiceValues } from '#contract/records/control/choice-values.ts'
import { type Fault, PROFILE_HITS, readStoredHits, toProfileFaultId } from '#contract/records/control/fault.ts'
import { toVariation, type Variation } from '#contract/records/control/variation.ts'
import { PROFILE_SINCE, readStoredProfile, type VendorProfile } from '#contract/records/control/vendor-profile.ts'
import { type Stored, readSource, type WorldRecords } from '../adapters/record.ts'
import type { Ports } from '../ports.ts'
import type { Store } from '../ports/store.ts'

/** The profile is a setting among the records, so it goes wherever they go. */
const NAME = 'profile'
/** The profile counts from this kept instant. */
const SINCE = PROFILE_SINCE
/** Settings that are removed with the profile. */
const OF_PROFILE: readonly unknown[] = [NAME, SINCE, PROFILE_HITS]
const isOther = ({ name }: Stored) => !OF_PROFILE.includes(name)

/** Without a profile an existing one is removed. */
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
  /** The hit counts of its faults. */
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
    // The profile's own variation counts again after one that was ended by hand.
    if ((await tx.settings.get(VARIATION))?.value === 'null') await tx.settings.delete(VARIATION)
    if (profile) for (const each of toSettings(profile, now)) await tx.settings.put(each)
  })
}

/** Variation set by hand reaches all instances, but no fork, snapshot or case. */
const VARIATION = 'variation'

export function withoutVariation<State extends { records: WorldRecords }>(state: State): State {
  const all = readSource(state.records.get('settings'))
  const settings = all.filter(({ name }) => name !== VARIATION)
  // Engines recognize records that they have shared, so an unchanged list is passed on.
  if (settings.length === all.length) return state
  return { ...state, records: new Map(state.records).set('settings', settings) }
}

/** `by` is absent where nothing was set by hand, and null where the profile's variation was ended too. */
export async function readVariation({ settings }: Store): Promise<{ by?: Variation | null }> {
  const kept = await settings.get(VARIATION)
  return kept ? { by: JSON.parse(kept.value) as Variation | null } : {}
}

export function writeVariation(store: Store, variation: Variation | undefined): Promise<void> {
  return store.transaction((tx) => tx.settings.put({ name: VARIATION, value: JSON.stringify(variation ?? null) }))
}

/** A profile replaces nothing that was set by hand. */
export function applyProfile({ world, faults, variations }: Ports, { profile, hits }: StoredProfile): void {
  world.profile = profile
  world.choices = toChoiceValues({ ...world.usual, ...profile?.choices })
  // The profile was checked before, which put its methods into capitals.
  const drafts = (profile?.faults ?? []) as Omit<Fault, 'faultId' | 'hits'>[]
  faults.setProfile(
    drafts.map((draft, i) => ({ ...draft, faultId: toProfileFaultId(i), hits: 0, profile: profile!.profile })),
  )
  faults.setHits(hits)
  variations.setProfile(profile?.variation && toVariation(profile.variation, world))
}

/** Another instance has changed the settings. */
export async function refresh(ports: Ports): Promise<void> {
  const { store, world, faults, variations } = ports
  const kept = await readProfile(store)
  if (JSON.stringify(kept.profile) !== JSON.stringify(world.profile)) applyProfile(ports, kept)
  // The same profile may have been set once more, which begins its counts anew.
  else faults.setHits(kept.hits)
  const { by } = await readVariation(store)
  if (by === undefined || JSON.stringify(by) === JSON.stringify(variations.read() ?? null)) return
  variations.set(by ?? undefined)
}

const toSettings = (profile: VendorProfile, now: number) => [
  { name: NAME, value: JSON.stringify(profile) },
  { name: SINCE, value: new Date(now).toISOString() },
]
