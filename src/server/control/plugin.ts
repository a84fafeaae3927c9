import type { FastifyInstance } from 'fastify'
import { resumeScenarios } from '../domain/events/scenarios.ts'
import { acceptJson } from '../http/input/json-body.ts'
import { errorBody, httpStatuses } from '../http/json-errors.ts'
import { createJsonErrorHandler } from '../http/json-error-handler.ts'
import { addOperations, type Operation } from '../http/operations.ts'
import { StoredRecordings } from '../recording/recording.ts'
import { assertControlAccess, type ControlAccess } from './access.ts'
import { agents } from './agents.ts'
import { choices } from './choices.ts'
import { clock } from './clock.ts'
import type { ControlContext } from './context.ts'
import { coverage, createCoverageReader } from './coverage.ts'
import { events } from './events.ts'
import { examinations, type PublishedExamination } from './examination.ts'
import { faults } from './faults.ts'
import { feed } from './feed.ts'
import { journal } from './journal.ts'
import { outbox } from './outbox.ts'
import { pactStateRoutes } from './pact-states.ts'
import { purchases } from './purchases.ts'
import { recordings } from './recordings.ts'
import { records } from './records.ts'
import { snapshots } from './snapshots.ts'
import { statusAndReset } from './status.ts'
import { images, tickets } from './tickets.ts'
import { variations } from './variation.ts'
import { walletTools } from './wallet.ts'
import { worldRoutes } from './worlds.ts'

export type ControlOptions = ControlAccess & ControlContext

export async function control(app: FastifyInstance, options: ControlOptions): Promise<void> {
  app.setErrorHandler(createJsonErrorHandler(httpStatuses, { onlyWhereDeclared: false }))
  acceptJson(app)
  options.worlds.onOpen((ports) =>
    resumeScenarios(ports).catch((error: Error) =>
      app.log.error({ world: ports.world.name, err: error }, 'the scenarios cannot be resumed'),
    ),
  )
  addOperations(app, {
    operations: listOperations(app, options),
    authenticate: (request): undefined => assertControlAccess(request, options),
    anyType: true,
    // An unknown field in the control API is usually a typo.
    knownOnly: true,
    refusals: [400, 401, 403, 404],
    bodyRefusals: [413, 415],
    errorBody,
  })
}

function listOperations(app: FastifyInstance, context: ControlContext): readonly Operation<undefined>[] {
  const kept = new StoredRecordings(context.worlds)
  const reader = createCoverageReader(context.vendorRoutes)
  const examination: PublishedExamination = {}
  return [
    ...statusAndReset(context, kept, examination),
    ...worldRoutes(context, kept),
    ...clock,
    ...journal(context, reader),
    ...faults,
    ...variations,
    ...choices,
    ...pactStateRoutes(context),
    ...outbox,
    ...records,
    ...recordings(context, kept),
    ...coverage(reader),
    ...examinations(examination),
    ...snapshots(context),
    ...tickets,
    ...purchases,
    ...walletTools,
    ...events,
    ...images,
    ...feed(app, context),
    ...agents(context),
  ]
}
