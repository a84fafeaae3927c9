import type { Ports } from '../ports.ts'
import type { View } from '../ports/store.ts'
import type { Source } from '#contract/rules.ts'
import type { Profile } from '#contract/records/profile.ts'
import { DomainError, notFound } from './errors.ts'

/** Document 1, section 1: the web site, by a value that profiles can set, and two apps. */
export type RequestSource = string
export const apps: readonly RequestSource[] = ['splus', 'voyager']

/** Guests may have no user ID. */
export interface Identity {
  source: RequestSource
  /** `profile:{profId}` for the web site, `guid:{GUID}` for apps. */
  userId: string | undefined
  /** Only for dealers. */
  companyId: string | undefined
}

/** Caller of a guest operation, with the identity that was sent. */
export type Guest = Identity

/** Caller of an operation that ignores identities. */
export interface Anonymous extends Identity {
  userId: undefined
  companyId: undefined
}

export interface User extends Identity {
  userId: string
}

export interface Dealer extends User {
  companyId: string
}

/** Throws 404 for an unknown user and cites `source`. */
export async function requireProfile({ profiles }: View, { userId }: User, source: Source): Promise<Profile> {
  const profile = await profiles.get(userId)
  if (!profile) throw notFound('user not found', source)
  return profile
}

/** Throws 401 without a user profile, and 403 if it has no dealer company. */
export async function requireDealer({ store }: Ports, user: User): Promise<Dealer> {
  const profile = await store.profiles.get(user.userId)
  if (!profile)
    throw new DomainError('unauthenticated', 'no profile holds this identity', {
      hint: 'GET /_control/status lists callers',
      source: 'our choice: unknown-identity',
    })
  if (!profile.companyId)
    throw new DomainError('forbidden', 'this profile belongs to no dealer company', {
      hint: 'GET /_control/status names dealers',
      source: 'our choice: dealer-company',
    })
  return { ...user, companyId: profile.companyId }
}

/** Dealers have access only to their own company. Naming another company is an error. */
export function assertOwnCompany({ companyId }: Dealer, named: string | undefined): void {
  if (named === undefined || named === companyId) return
  throw new DomainError('forbidden', 'companyId is not your company', {
    source: 'our choice: dealer-company',
  })
}
