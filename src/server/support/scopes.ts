import { findSource } from '#contract/rules.ts'
import type { Anonymous, Dealer, Guest, User } from '../domain/identity.ts'
import type { Scope } from '../http/operations.ts'
import { errorBody } from '../http/json-errors.ts'
import { identifyAnonymous, identifyDealer, identifyGuest, identifyUser } from './identity.ts'
import { operationsIn } from './operations.ts'
import { refuseOtherCompanies } from './own-company.ts'

/** Document 1, section 4: 400 for unusable input, 401 and 403 stand in every row; 500 is a failure of ours. */
const common = {
  sourceOf: (operation: number | string | undefined) =>
    findSource(`document 1, operation ${operation}`) ?? 'our choice: required-fields',
  refusals: [400, 401, 403, 500],
  errorBody,
}

const users: Scope<User> = { ...common, authenticate: identifyUser, operations: operationsIn('users') }

const dealers: Scope<Dealer> = {
  ...common,
  authenticate: identifyDealer,
  authorize: refuseOtherCompanies,
  operations: operationsIn('dealers'),
}

const guests: Scope<Guest> = { ...common, authenticate: identifyGuest, operations: operationsIn('guests') }

const anonymous: Scope<Anonymous> = {
  ...common,
  authenticate: identifyAnonymous,
  operations: operationsIn('anonymous'),
}

export const scopes = { users, dealers, guests, anonymous }
