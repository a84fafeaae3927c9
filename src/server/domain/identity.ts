import type { Ports } from '../ports.ts'
import type { View } from '../ports/store.ts'
import type { Source } from '#contract/rules.ts'
import type { Profile } from '#contract/records/profile.ts'
import { DomainError, notFound } from './errors.ts'

/** Document 1, section 1: the vendor's web site, by the world's literal for it, and two apps. */
export type RequestSource = string
export const apps: readonly RequestSource[] = ['splus', 'voyager']

/** A guest has no user id. */
export interface Identity {
  source: RequestSource
  /** `profile:{profId}` of the web site and `guid:{GUID}` of the apps never meet. */
  userId: string | undefined
  /** Only callers of the dealer portal have one. */
  companyId: string | undefined
}

/** The identity that was sent is used. */
export type Guest = Identity

/** The identity that was sent is ignored. */
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

/** `source` names the rule that makes an unknown caller a 404. */
export async function requireProfile({ profiles }: View, { userId }: User, source: Source): Promise<Profile> {
  const profile = await profiles.get(userId)
  if (!profile) throw notFound('user not found', source)
  return profile
}

/** Our choice: dealer operations need a profile (else 401) that belongs to a dealer company (else 403). */
export async function requireDealer({ store }: Ports, user: User): Promise<Dealer> {
  const profile = await store.profiles.get(user.userId)
  if (!profile)
    throw new DomainError('unauthenticated', 'no profile holds this identity', {
      hint: 'GET /_control/status names some that do',
      source: 'our choice: unknown-identity',
    })
  if (!profile.companyId)
    throw new DomainError('forbidden', 'this profile belongs to no dealer company', {
      hint: 'GET /_control/status names dealers',
      source: 'our choice: dealer-company',
    })
  return { ...user, companyId: profile.companyId }
}

/** Our choice: a dealer sees its own company only; naming another one is refused, whatever it is asked for. */
export function assertOwnCompany({ companyId }: Dealer, named: string | undefined): void {
  if (named === undefined || named === companyId) return
  throw new DomainError('forbidden', 'companyId names another company than your own', {
    source: 'our choice: dealer-company',
  })
}
