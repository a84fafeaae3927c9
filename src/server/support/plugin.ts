import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { acceptJson } from '../http/input/json-parsers.ts'
import { createJsonErrorHandler } from '../http/json-error-handler.ts'
import { addOperations } from '../http/operations.ts'
import { cancelPage } from './cancel-page.ts'
import { supportStatuses } from './errors.ts'
import { scopes } from './scopes.ts'

/** Document 1: the support interface. Which scope an operation is in says who may call it. */
export async function support(app: FastifyInstance): Promise<void> {
  app.setErrorHandler(createJsonErrorHandler(supportStatuses, { shaped: true }))
  // Cookies are parsed only where one is needed.
  await app.register(cookie, { hook: false })
  acceptJson(app)

  addOperations(app, scopes.users)
  addOperations(app, scopes.dealers)
  addOperations(app, scopes.guests)
  addOperations(app, scopes.anonymous)
  cancelPage(app)
}
