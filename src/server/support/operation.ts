import type { Heading, OperationContract } from '#contract/operation.ts'
import type { Anonymous, Dealer, Guest, User } from '../domain/identity.ts'
import type { Handler, Operation } from '../http/operations.ts'

export interface Callers {
  users: User
  dealers: Dealer
  guests: Guest
  anonymous: Anonymous
}

type Contracts = Readonly<Record<number | string, OperationContract & Heading<keyof Callers> & { operation: number }>>

export type Implemented<Declared extends Contracts> = {
  readonly [Row in keyof Declared]: SupportOperation<Declared[Row]['scope']>
}

export type SupportOperation<Scope extends keyof Callers> = Operation<Callers[Scope]> & { scope: Scope }

/** A missing handler does not compile, nor does one for callers of another scope. */
export function implement<Declared extends Contracts>(
  contracts: Declared,
  handlers: { readonly [Row in keyof Declared]: Handler<Callers[Declared[Row]['scope']], Declared[Row]> },
): Implemented<Declared> {
  const operations = Object.entries(contracts).map(([row, contract]) => [row, { ...contract, run: handlers[row] }])
  return Object.fromEntries(operations) as Implemented<Declared>
}
