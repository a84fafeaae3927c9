import { statusOperations } from '#contract/control/status.ts'
import { readClock } from '../domain/control/clock.ts'
import { findToTry } from '../domain/control/known-fixtures.ts'
import { countRecords } from '../domain/control/records.ts'
import { type ControlContext, implementControl } from './context.ts'
import type { PublishedExamination } from './examination.ts'
import type { KeptRecordings } from '../recording/kept-recordings.ts'

const documents = { support: 'stg', events: 1, wallet: 'v2.0', billing: 'deprecated' } as const

export function statusAndReset(
  { worlds, version }: ControlContext,
  kept: KeptRecordings,
  examination: PublishedExamination,
) {
  return implementControl(statusOperations, {
    readStatus: async ({ ports }) => ({
      version,
      documents,
      world: ports.world.name,
      ...(ports.world.profile && { profile: ports.world.profile.profile }),
      clock: readClock(ports),
      ...(kept.has(ports) && { recorded: true }),
      ...(examination.newest && { examined: true }),
      liveStreams: ports.streams.size,
      try: await findToTry(ports),
      counts: await countRecords(ports),
    }),

    reset: async ({ ports }) => {
      await worlds.reset(ports.world.name)
    },
  })
}
