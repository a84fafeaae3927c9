import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { acceptJson } from '../http/input/json-body.ts'
import { createJsonErrorHandler } from '../http/json-error-handler.ts'
import { type Statuses, errorBody, httpStatuses } from '../http/json-errors.ts'
import { addOperations } from '../http/operations.ts'
import { cancelPage } from './cancel-page.ts'
import { findSource } from '#contract/rules.ts'
import { identifyAnonymous, identifyDealer, identifyGuest, identifyUser } from './identity.ts'
import { operationsIn } from './operations.ts'
import { refuseOtherCompanies } from './own-company.ts'

/** Document 1: the support API. The scope of an operation defines who may call it. */
export async function support(app: FastifyInstance): Promise<void> {
  app.setErrorHandler(createJsonErrorHandler(statuses, { shaped: true }))
  await app.register(cookie, { hook: false })
  acceptJson(app)

  addOperations(app, scopes.users)
  addOperations(app, scopes.dealers)
  addOperations(app, scopes.guests)
  addOperations(app, scopes.anonymous)
  cancelPage(app)
}

/** Document 1 does not declare 409, 413, 415 or 422, so these become 400 with their own error codes. */
const statuses: Statuses = {
  ...httpStatuses,
  conflict: 400,
  'slot-unavailable': 400,
  'limit-exceeded': 400,
  'payload-too-large': 400,
  'unsupported-media-type': 400,
}

/** Document 1, section 4: every row declares 400 for invalid input, 401 and 403. 500 is an internal error. */
const common = {
  sourceOf: (operation: number | string | undefined) =>
    findSource(`document 1, operation ${operation}`) ?? 'our choice: required-fields',
  refusals: [400, 401, 403, 500],
  errorBody,
}

export const scopes = {
  users: { ...common, authenticate: identifyUser, operations: operationsIn('users') },
  dealers: {
    ...common,
    authenticate: identifyDealer,
    authorize: refuseOtherCompanies,
    operations: operationsIn('dealers'),
  },
  guests: { ...common, authenticate: identifyGuest, operations: operationsIn('guests') },
  anonymous: { ...common, authenticate: identifyAnonymous, operations: operationsIn('anonymous') },
}
