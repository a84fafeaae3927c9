import type { FastifyInstance } from 'fastify'
import { resumeScenarios } from '../domain/events/scenarios.ts'
import { acceptJson } from '../http/input/json-body.ts'
import { controlErrorBody, httpStatuses } from '../http/json-errors.ts'
import { createJsonErrorHandler } from '../http/json-error-handler.ts'
import { addOperations } from '../http/operations.ts'
import { assertControlAccess, type ControlAccess } from './access.ts'
import type { ControlContext } from './context.ts'
import { listOperations } from './routes.ts'

export type ControlOptions = ControlAccess & ControlContext

export async function control(app: FastifyInstance, options: ControlOptions): Promise<void> {
  app.setErrorHandler(
    createJsonErrorHandler(httpStatuses, { onlyWhereDeclared: false, sources: true, challenge: 'Bearer' }),
  )
  acceptJson(app)
  options.worlds.onOpen((ports) =>
    resumeScenarios(ports).catch((error: Error) => app.log.error({ err: error }, 'the scenarios cannot be resumed')),
  )
  addOperations(app, {
    operations: listOperations(app, options),
    authenticate: (request): undefined => assertControlAccess(request, options),
    anyType: true,
    // Clients of the documents may send unknown fields; in a call that steers the server an unknown field is a typing
    // error.
    knownOnly: true,
    refusals: [401, 403],
    errorBody: controlErrorBody,
  })
}
