import type { z } from 'zod'
import { deviceEvent } from './events/platform-event.ts'
import { snapshot } from './snapshot.ts'
import { recordingStart } from './control/case.ts'
import { clockMove } from './control/clock.ts'
import { coverage } from './control/coverage.ts'
import { faultPage } from './control/fault.ts'
import { journalPage } from './control/journal.ts'
import { outboxPage } from './control/outbox-message.ts'
import { recordPage } from './control/status.ts'
import { worldPage, worldSummary } from './control/world.ts'

export type ReplySchema = z.ZodObject

/** What the operations that commands ask for answer: JSON of a schema, or a text. */
export const replies: Readonly<Record<string, ReplySchema | 'a case' | '204 without a body'>> = {
  'POST clock/advance': clockMove,
  'GET coverage': coverage,
  'POST devices/:deviceId/events': deviceEvent,
  'GET faults': faultPage,
  'GET journal': journalPage,
  'GET outbox': outboxPage,
  'GET records/:collection': recordPage,
  'POST recordings': recordingStart,
  'GET recordings/current': 'a case',
  'POST reset': '204 without a body',
  'GET snapshot': snapshot,
  'PUT snapshot': '204 without a body',
  'GET worlds': worldPage,
  'POST worlds': worldSummary,
  'DELETE worlds/:name': '204 without a body',
}
