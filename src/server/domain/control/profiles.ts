import { notFound } from '../errors.ts'
import type { Ports } from '#server/ports.ts'
import type { VendorProfile } from '#contract/records/control/vendor-profile.ts'

export async function setProfile(ports: Ports, profile: VendorProfile): Promise<VendorProfile> {
  await ports.setProfile(profile)
  return profile
}

export function requireProfile({ world }: Ports): VendorProfile {
  if (world.profile) return world.profile
  throw notFound('this world has no profile', 'our choice: control-refusals')
}
