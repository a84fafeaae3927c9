import type { Ports, View } from '../../ports.ts'
import type { Profile } from '../../schemas/profile.ts'
import { DomainError } from '../errors.ts'
import type { User } from '../identity.ts'

/** Operation 32: whether the caller's profile holds a mobile number. */
export async function checkMobileNumber({ store }: Pick<Ports, 'store'>, user: User): Promise<{ exist: boolean }> {
  const { mobilePhone } = await requireProfile(store, user)
  return { exist: mobilePhone !== undefined }
}

/** Our choice: operations 32 and 33 know their caller or answer 404. */
export async function requireProfile({ profiles }: Pick<View, 'profiles'>, { userId }: User): Promise<Profile> {
  const profile = await profiles.get(userId)
  if (!profile) throw new DomainError('not-found', 'user not found', { source: 'document 1, section 7' })
  return profile
}
