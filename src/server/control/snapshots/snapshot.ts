import { Readable } from 'node:stream'
import { snapshotOperations } from '#contract/control/snapshots.ts'
import { SNAPSHOT_TYPE, writeSnapshot } from '#contract/records/snapshot.ts'
import { restoreSnapshot, takeSnapshot } from './world-snapshots.ts'
import { gather, signalWhileHeard } from '#server/http/connection/client-left.ts'
import { yielding } from '#server/ports/yielding.ts'
import { type ControlContext, implementControl } from '../context.ts'
import { toKnownSnapshot } from './known-faults.ts'

export function snapshots({ worlds }: ControlContext) {
  return implementControl(snapshotOperations, {
    takeSnapshot: async (request, reply) => {
      const signal = signalWhileHeard(request, reply)
      const lines = yielding(writeSnapshot(await takeSnapshot(request.ports, signal)), signal)
      return reply.type(SNAPSHOT_TYPE).send(Readable.from(gather(lines)))
    },

    restoreSnapshot: async (request) => {
      const { ports, server } = request
      const bytes: unknown = request.body
      return restoreSnapshot({ worlds, ports }, bytes instanceof Uint8Array ? bytes : new Uint8Array(), (read) =>
        toKnownSnapshot(read, server.knownPaths.list()),
      )
    },
  })
}
