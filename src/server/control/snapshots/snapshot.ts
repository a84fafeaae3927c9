import { Readable } from 'node:stream'
import { snapshotOperations } from '#contract/control/snapshots.ts'
import { SNAPSHOT_TYPE, type Snapshot, writeSnapshot } from '#contract/records/snapshot.ts'
import type { Turns } from '#server/ports/turns.ts'
import { restoreSnapshot, takeSnapshot } from '#server/domain/control/snapshots.ts'
import { gather, portsWhileHeard } from '#server/http/connection/client-left.ts'
import { type ControlContext, implementControl } from '../context.ts'
import { toKnownSnapshot } from './known-faults.ts'

export function snapshots({ worlds }: ControlContext) {
  return implementControl(snapshotOperations, {
    takeSnapshot: async (request, reply) => {
      const ports = portsWhileHeard(request)
      const lines = writeInTurns(await takeSnapshot(ports), ports.turns)
      return reply.type(SNAPSHOT_TYPE).send(Readable.from(gather(lines)))
    },

    restoreSnapshot: async (request) => {
      const { ports, server } = request
      const bytes: unknown = request.body
      return restoreSnapshot({ worlds, ports }, bytes instanceof Uint8Array ? bytes : new Uint8Array(), (read) =>
        toKnownSnapshot(read, ports, server.knownPaths.list()),
      )
    },
  })
}

async function* writeInTurns(snapshot: Snapshot, turns: Turns): AsyncGenerator<string> {
  for (const line of writeSnapshot(snapshot)) {
    yield line
    const turn = turns.give()
    if (turn) await turn
  }
}
