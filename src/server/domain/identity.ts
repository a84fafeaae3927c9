import type { Ports } from '../ports.ts'
import type { View } from '../ports/store.ts'
import type { Source } from '#contract/rules.ts'
import type { Profile } from '#contract/records/profile.ts'
import { DomainError, notFound } from './errors.ts'

/** Document 1, section 1: the web site and two apps. A profile can change the value for the web site. */
export type RequestSource = string
export const apps: readonly RequestSource[] = ['splus', 'voyager']

export interface Identity {
  source: RequestSource
  /** `profile:{profId}` for the web site, `guid:{GUID}` for apps. */
  userId: string | undefined
  companyId: string | undefined
}

export type Guest = Identity

/** The caller of an operation that ignores the identity in the request. */
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

export async function requireProfile({ profiles }: View, { userId }: User, source: Source): Promise<Profile> {
  const profile = await profiles.get(userId)
  if (!profile) throw notFound('user not found', source)
  return profile
}

export async function requireDealer({ store }: Ports, user: User): Promise<Dealer> {
  const profile = await store.profiles.get(user.userId)
  if (!profile) {
    const [kind, value] = [apps.includes(user.source) ? 'GUID' : 'profId', user.userId.replace(/^[^:]*:/, '')]
    throw new DomainError('unauthenticated', `no user profile has the ${kind} ${value}`, {
      hint: 'GET /_control/status lists callers',
      source: 'our choice: unknown-identity',
    })
  }
  if (!profile.companyId)
    throw new DomainError('forbidden', 'this user profile does not belong to a dealer company', {
      hint: 'GET /_control/status names dealers',
      source: 'our choice: dealer-company',
    })
  return { ...user, companyId: profile.companyId }
}

/** A dealer has access only to their own company. A request that names another company is rejected. */
export function assertOwnCompany({ companyId }: Dealer, named: string | undefined): void {
  if (named === undefined || named === companyId) return
  throw new DomainError('forbidden', 'companyId is not the ID of your company', {
    source: 'our choice: dealer-company',
  })
}
