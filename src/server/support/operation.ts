import type { Anonymous, Dealer, Guest, User } from '../domain/identity.ts'
import type { Heading, OperationContract } from '../../contract/operation.ts'
import { type Handlers, operationsOf, toOperations } from '../http/operations.ts'

export const userOperations = (tag: string) => operationsOf<User>(tag)
export const guestOperations = (tag: string) => operationsOf<Guest>(tag)
export const dealerOperation = operationsOf<Dealer>('Dealer Portal')
export const anonymousOperation = operationsOf<Anonymous>('In Store')

/** Meta data of a parameter that the interface has as optional and an answer needs all the same. */
export const demanded = { requiredBy: 'our choice', optionalInDocument: true } as const

/** Who calls the operations of a scope. */
interface Callers {
  users: User
  dealers: Dealer
  guests: Guest
  anonymous: Anonymous
}

type Contracts = Readonly<Record<number, OperationContract & Heading<keyof Callers> & { operation?: number | string }>>
type ScopeOf<Declared extends Contracts> = Declared[keyof Declared & number]['scope']

/** One handler for each operation; a missing one does not compile, nor does one that is asked by others than its scope. */
export function implement<Declared extends Contracts>(
  contracts: Declared,
  handlers: Handlers<Callers[ScopeOf<Declared>], Declared>,
) {
  return toOperations<Callers[ScopeOf<Declared>], Declared>(contracts, handlers)
}
