import type { Anonymous, Dealer, Guest, User } from '../domain/identity.ts'
import { operationsOf } from '../http/operations.ts'

export const userOperations = (tag: string) => operationsOf<User>(tag)
export const guestOperations = (tag: string) => operationsOf<Guest>(tag)
export const dealerOperation = operationsOf<Dealer>('Dealer Portal')
export const anonymousOperation = operationsOf<Anonymous>('In Store')

/** Meta data of a parameter that the interface has as optional and an answer needs all the same. */
export const demanded = { requiredBy: 'our choice', optionalInDocument: true } as const
