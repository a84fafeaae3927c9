import { Readable } from 'node:stream'
import { snapshotOperations } from '../../../contract/control/snapshots.ts'
import { restoreSnapshot, takeSnapshot } from '../../domain/control/snapshots.ts'
import { gather, portsWhileHeard } from '../../http/connection/client-left.ts'
import { readRawBody } from '../../http/input/json-body.ts'
import { type ControlContext, implementControl } from '../context.ts'
import { toKnownSnapshot } from './known-faults.ts'
import { writeSnapshot } from './snapshot-text.ts'

export function snapshots({ worlds }: ControlContext) {
  return implementControl(snapshotOperations, {
    takeSnapshot: async (request, reply) => {
      const ports = portsWhileHeard(request)
      const text = writeSnapshot(await takeSnapshot(ports), () => ports.turns.give())
      return reply.type('application/json; charset=utf-8').send(Readable.from(gather(text)) as never)
    },

    restoreSnapshot: async (request) => {
      const { ports, server } = request
      return restoreSnapshot({ worlds, ports }, readRawBody(request), (snapshot) =>
        toKnownSnapshot(snapshot, ports, server.knownPaths.list()),
      )
    },
  })
}
