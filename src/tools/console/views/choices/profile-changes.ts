import { api } from '../../address.ts'
import type { ProfileAnswer, ProfileInput } from '../../types.ts'

/** The name of a profile that this page has changed: those that ship keep their names to themselves. */
const OWN = 'console'

/** The profile of the world; nothing where it is plain, which is no error. */
export async function bentBy(): Promise<ProfileAnswer | undefined> {
  const { profile } = await api.status()
  return profile === undefined ? undefined : api.profile.read()
}

/** Sets one choice and keeps the rest of the profile; no value: as by default. */
export async function setChoice(id: string, value: unknown): Promise<void> {
  const { profile = OWN, choices, ...rest } = (await bentBy()) ?? {}
  const { [id]: _, ...others } = choices ?? {}
  const name = ['strict', 'lenient', 'rough'].includes(profile) ? `${profile}-changed` : profile
  const next = { ...rest, profile: name, choices: value === undefined ? others : { ...others, [id]: value } }
  await api.profile.set(next as ProfileInput)
}

/** A list or object is written as JSON, and a number or word as it is. */
export function writeValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function readValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
