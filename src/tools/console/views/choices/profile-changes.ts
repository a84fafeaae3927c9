import { api } from '../../address.ts'
import type { ProfileAnswer, ProfileInput } from '../../types.ts'

/** A changed profile gets this name, since shipped names stand for shipped values. */
const OWN = 'console'

/** A plain world has no profile, which is no error. */
export async function bentBy(): Promise<ProfileAnswer | undefined> {
  const { profile } = await api.status()
  return profile === undefined ? undefined : api.profile.read()
}

/** The rest of the profile stays; without a value the choice returns to its default. */
export async function setChoice(id: string, value: unknown): Promise<void> {
  const { profile = OWN, choices, ...rest } = (await bentBy()) ?? {}
  const { [id]: _, ...others } = (choices ?? {}) as Readonly<Record<string, unknown>>
  const name = ['strict', 'lenient', 'rough'].includes(profile) ? `${profile}-changed` : profile
  const next = { ...rest, profile: name, choices: value === undefined ? others : { ...others, [id]: value } }
  await api.profile.set(next as ProfileInput)
}

export function writeValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
