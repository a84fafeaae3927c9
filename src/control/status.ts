import { z } from 'zod'
import { readClock } from '../domain/control/clock.ts'
import { countRecords } from '../domain/control/records.ts'
import { errorBody } from '../http/json-errors.ts'
import { noContent } from '../http/zod.ts'
import { clockState } from '../schemas/control/clock.ts'
import type { ControlApp, ControlContext } from './context.ts'

/** The documents' own versions, as their last sections say. */
const documents = { support: 'stg', events: 1, wallet: 'v2.0', billing: 'deprecated' } as const

const status = z.object({
  version: z.string(),
  documents: z.object({
    support: z.literal('stg'),
    events: z.literal(1),
    wallet: z.literal('v2.0'),
    billing: z.literal('deprecated'),
  }),
  world: z.string(),
  clock: clockState,
  liveStreams: z.int().meta({ description: 'Of this instance' }),
  counts: z.record(z.string(), z.int()).meta({ description: 'Records by collection' }),
})

export function statusAndReset(app: ControlApp, { worlds, version }: ControlContext): void {
  app.get('/_control/status', {
    config: { operation: 'readStatus' },
    schema: {
      tags: ['Status'],
      summary: 'What runs, and how the world stands',
      response: { 200: status, 403: errorBody },
    },
    handler: async ({ ports }) => ({
      version,
      documents,
      world: ports.world.name,
      clock: readClock(ports),
      liveStreams: ports.streams.list().length,
      counts: await countRecords(ports),
    }),
  })

  app.post('/_control/reset', {
    config: { operation: 'reset' },
    schema: {
      tags: ['Status'],
      summary: 'The world as it was at its start; live streams end',
      response: { 204: noContent, 403: errorBody },
    },
    handler: async ({ ports }, reply) => {
      await worlds.reset(ports.world.name)
      return reply.code(204).send(undefined)
    },
  })
}
