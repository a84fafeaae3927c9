import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { acceptJson } from '../http/input/json-body.ts'
import { createJsonErrorHandler } from '../http/json-error-handler.ts'
import { httpStatuses, type Statuses } from '../http/json-errors.ts'
import { addOperations } from '../http/operations.ts'
import { cancelPage } from './cancel-page.ts'
import { scopes } from './scopes.ts'

/** Document 1: the support interface. Which scope an operation is in says who may call it. */
export async function support(app: FastifyInstance): Promise<void> {
  app.setErrorHandler(createJsonErrorHandler(statuses, { shaped: true }))
  // Cookies are parsed only where one is needed.
  await app.register(cookie, { hook: false })
  acceptJson(app)

  addOperations(app, scopes.users)
  addOperations(app, scopes.dealers)
  addOperations(app, scopes.guests)
  addOperations(app, scopes.anonymous)
  cancelPage(app)
}

/** Document 1 declares no 409, 413, 415 or 422: there these are a 400 with an error code of their own. */
const statuses: Statuses = {
  ...httpStatuses,
  conflict: 400,
  'slot-unavailable': 400,
  'limit-exceeded': 400,
  'payload-too-large': 400,
  'unsupported-media-type': 400,
}
