import type { Anonymous, Dealer, Guest, User } from '../domain/identity.ts'
import { operationsOf } from '../http/operations.ts'

/** How an operation is declared, by who may call it. */
export const userOperation = operationsOf<User>()
export const dealerOperation = operationsOf<Dealer>()
export const guestOperation = operationsOf<Guest>()
export const anonymousOperation = operationsOf<Anonymous>()

/** Meta data of a parameter that the interface has as optional and an answer needs all the same. */
export const demanded = { requiredBy: 'our choice', optionalInDocument: true } as const
