import { readClock } from '../domain/control/clock.ts'
import { countRecords } from '../domain/control/records.ts'
import { noContent } from '../../contract/operation.ts'
import { status } from '../../contract/records/control/status.ts'
import { type ControlContext, controlOperations } from './context.ts'

const documents = { support: 'stg', events: 1, wallet: 'v2.0', billing: 'deprecated' } as const

const declare = controlOperations('Status')

export function statusAndReset({ worlds, version }: ControlContext) {
  return [
    declare({
      operation: 'readStatus',
      route: 'GET /_control/status',
      summary: 'What runs, and how the world stands',
      reply: status,
      run: async ({ ports }) => ({
        version,
        documents,
        world: ports.world.name,
        clock: readClock(ports),
        liveStreams: ports.streams.size,
        counts: await countRecords(ports),
      }),
    }),

    declare({
      operation: 'reset',
      route: 'POST /_control/reset',
      summary: 'The world as it was at its start; live streams end',
      reply: noContent,
      run: async ({ ports }) => {
        await worlds.reset(ports.world.name)
      },
    }),
  ]
}
