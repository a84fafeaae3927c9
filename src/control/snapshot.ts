import { restoreSnapshot, takeSnapshot } from '../domain/control/snapshots.ts'
import { readRawBody } from '../http/input/json-body.ts'
import { errorBody } from '../http/json-errors.ts'
import { noContent } from '../http/zod.ts'
import { snapshot } from '../schemas/snapshot.ts'
import type { ControlApp, ControlContext } from './context.ts'
import { writeSnapshot } from './snapshot-text.ts'

/** Our choice: images make a snapshot large; on this route only. */
const SNAPSHOT_LIMIT = 256 * 1024 * 1024

export function snapshots(app: ControlApp, { worlds, snapshotLimit = SNAPSHOT_LIMIT }: ControlContext): void {
  const tags = ['Snapshot']

  app.get('/_control/snapshot', {
    config: { operation: 'takeSnapshot' },
    schema: {
      tags,
      summary: 'The whole world as one canonical JSON document, made for git',
      response: { 200: snapshot, 403: errorBody },
    },
    handler: async ({ ports }, reply) => {
      const text = writeSnapshot(await takeSnapshot(ports))
      return reply
        .type('application/json; charset=utf-8')
        .serializer(asItIs)
        .send(text as never)
    },
  })

  app.put('/_control/snapshot', {
    // Null and empty fields of records mean something: the domain reads the document as it is.
    config: { operation: 'restoreSnapshot', judgesInput: true, bulk: true },
    bodyLimit: snapshotLimit,
    schema: {
      tags,
      summary: 'Restore a world, whole or not at all; live streams end',
      body: snapshot,
      response: { 204: noContent, 400: errorBody, 403: errorBody, 413: errorBody },
    },
    handler: async (request, reply) => {
      await restoreSnapshot(worlds, request.ports, readRawBody(request))
      return reply.code(204).send(undefined)
    },
  })
}

const asItIs = (text: unknown): string => text as string
