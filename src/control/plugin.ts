import type { FastifyInstance } from 'fastify'
import { resumeScenarios } from '../domain/events/scenarios.ts'
import { readJson } from '../http/input/json-body.ts'
import { acceptJson, refuseEncodedBody } from '../http/input/request-rules.ts'
import { createJsonErrorHandler, httpStatuses } from '../http/json-errors.ts'
import type { ZodApp } from '../http/zod.ts'
import { assertControlAccess, type ControlAccess } from './access.ts'
import type { ControlContext } from './context.ts'
import { controlRoutes } from './routes.ts'

export type ControlOptions = ControlAccess & ControlContext

/** The control API, for people who test and demonstrate. */
export async function control(app: FastifyInstance, options: ControlOptions): Promise<void> {
  app.setErrorHandler(createJsonErrorHandler(httpStatuses, { onlyWhereDeclared: false }))
  app.addHook('onRequest', async (request) => assertControlAccess(request, options))
  app.addHook('onRequest', async (request) => refuseEncodedBody(request))
  acceptJson(app, readJson, { anyType: true })
  options.worlds.onOpen((ports) => {
    resumeScenarios(ports).catch((error: Error) => app.log.error({ err: error }, 'the scenarios cannot be resumed'))
  })
  for (const routes of controlRoutes) routes(app as unknown as ZodApp, options)
}
