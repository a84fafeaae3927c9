import { findSource } from '#contract/rules.ts'
import type { supportOperations } from '#contract/documents/support/operations.ts'
import type { Anonymous, Dealer, Guest, User } from '../domain/identity.ts'
import type { Scope } from '../http/operations.ts'
import { errorBody } from '../http/json-errors.ts'
import { ctiTokens } from './cti-tokens.ts'
import { customers } from './dealer/customers.ts'
import { disputes } from './dealer/disputes.ts'
import { refuseOtherCompanies } from './dealer/own-company.ts'
import { productCategories } from './dealer/product-categories.ts'
import { registeredProducts } from './dealer/registered-products.ts'
import { stores } from './dealer/stores.ts'
import { ticketAppointments } from './dealer/ticket-appointments.ts'
import { tickets } from './dealer/tickets.ts'
import { feedback } from './feedback.ts'
import { identifyAnonymous, identifyDealer, identifyGuest, identifyUser } from './identity.ts'
import { inStoreCatalog } from './in-store/catalog.ts'
import { inStoreRequests } from './in-store/requests.ts'
import { inStoreSlots } from './in-store/slots.ts'
import { taxonomies } from './in-store/taxonomies.ts'
import type { Callers, Implemented, SupportOperation } from './operation.ts'
import { orderHelp } from './order-help.ts'
import { productColors } from './product-colors.ts'
import { productValidation } from './product-validation.ts'
import { schedules } from './schedules.ts'
import { symptomImages } from './symptom-images.ts'
import { symptoms } from './symptoms.ts'
import { troubleshooting } from './troubleshooting.ts'
import { zipCodes } from './zip-codes.ts'

/** A missing row of document 1 does not compile. */
const implemented: Implemented<typeof supportOperations> = {
  ...ctiTokens,
  ...feedback,
  ...orderHelp,
  ...productColors,
  ...productValidation,
  ...schedules,
  ...symptomImages,
  ...symptoms,
  ...troubleshooting,
  ...zipCodes,
  ...customers,
  ...disputes,
  ...productCategories,
  ...registeredProducts,
  ...stores,
  ...ticketAppointments,
  ...tickets,
  ...inStoreCatalog,
  ...inStoreRequests,
  ...inStoreSlots,
  ...taxonomies,
}

type AnyOperation = { [Name in keyof Callers]: SupportOperation<Name> }[keyof Callers]

function operationsIn<Name extends keyof Callers>(scope: Name) {
  const isOfScope = (each: AnyOperation): each is Extract<AnyOperation, { scope: Name }> => each.scope === scope
  return Object.values<AnyOperation>(implemented).filter(isOfScope)
}

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
