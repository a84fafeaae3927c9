import { Readable } from 'node:stream'
import { restoreSnapshot, takeSnapshot } from '../../domain/control/snapshots.ts'
import { readRawBody } from '../../http/input/json-body.ts'
import { noContent } from '../../../contract/operation.ts'
import { snapshot } from '../../../contract/records/snapshot.ts'
import { type ControlContext, controlOperations } from '../context.ts'
import { writeSnapshot } from './snapshot-text.ts'

/** Our choice: images make a snapshot large; on this route only. */
const SNAPSHOT_LIMIT = 256 * 1024 * 1024

export function snapshots({ worlds }: ControlContext) {
  const declare = controlOperations('Snapshot')

  return [
    declare({
      operation: 'takeSnapshot',
      route: 'GET /_control/snapshot',
      summary: 'The whole world as one canonical JSON document, made for git',
      reply: snapshot,
      run: async ({ ports }, reply) => {
        const text = writeSnapshot(await takeSnapshot(ports), () => ports.turns.give())
        return reply.type('application/json; charset=utf-8').send(Readable.from(text) as never)
      },
    }),

    declare({
      operation: 'restoreSnapshot',
      route: 'PUT /_control/snapshot',
      // Null and empty fields of records mean something: the domain reads the document as it is.
      judgesInput: true,
      bulk: true,
      summary: 'Restore a world, whole or not at all; live streams end',
      body: snapshot,
      reply: noContent,
      further: [400, 413],
      bodyLimit: SNAPSHOT_LIMIT,
      run: async (request) => restoreSnapshot(worlds, request.ports, readRawBody(request)),
    }),
  ]
}
