import type { FastifyInstance } from 'fastify'
import type { Operation } from '../http/operations.ts'
import { agents } from './agents.ts'
import { choices, profiles, sessions } from './choices.ts'
import { clock } from './clock.ts'
import type { ControlContext } from './context.ts'
import { coverage, createCoverageReader } from './coverage/coverage.ts'
import { devices } from './devices.ts'
import { examinations, type PublishedExamination } from './examination.ts'
import { faults } from './faults.ts'
import { feed } from './feed/feed.ts'
import { journal } from './journal/journal.ts'
import { outbox } from './outbox.ts'
import { pactStateRoutes } from './snapshots/pact-states.ts'
import { purchases } from './purchases.ts'
import { KeptRecordings } from '../recording/kept-recordings.ts'
import { recordings } from './recordings/recordings.ts'
import { records } from './records.ts'
import { scenarios } from './scenarios.ts'
import { snapshots } from './snapshots/snapshot.ts'
import { statusAndReset } from './status.ts'
import { streams } from './streams.ts'
import { images, tickets } from './tickets.ts'
import { tokens } from './tokens.ts'
import { variations } from './variation.ts'
import { walletTools } from './wallet.ts'
import { worldRoutes } from './worlds.ts'

export function listOperations(app: FastifyInstance, context: ControlContext): readonly Operation<undefined>[] {
  const kept = new KeptRecordings(context.worlds)
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
    ...profiles,
    ...sessions,
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
    ...tokens,
    ...devices,
    ...scenarios,
    ...streams,
    ...images,
    ...feed(app, context),
    ...agents(context),
  ]
}
