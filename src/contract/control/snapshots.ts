import { z } from 'zod'
import { noContent } from '../operation.ts'
import { pactStateChange, pactStateValues } from '../records/control/pact-state.ts'
import { LARGEST_SNAPSHOT, SNAPSHOT_TYPE } from '../records/snapshot.ts'
import { defineControl } from './define.ts'

const snapshot = z.string().meta({
  description: 'JSON Lines: a header, then one line for each fault, record and image. A line has at most 16 MiB',
})

export const snapshotOperations = defineControl('Snapshot', {
  takeSnapshot: {
    summary: 'Read the whole world as canonical JSON Lines',
    produces: [SNAPSHOT_TYPE],
    reply: snapshot,
  },
  restoreSnapshot: {
    // Null and empty fields of records mean something: the domain reads the lines as they are.
    validatesItself: true,
    consumes: [SNAPSHOT_TYPE],
    summary: 'Restore a world, whole or not at all; live streams end',
    body: snapshot,
    reply: noContent,
    otherStatuses: [400, 413],
    bodyLimit: LARGEST_SNAPSHOT,
    example: { needs: 'a snapshot, from takeSnapshot' },
  },
})

export const pactStateOperations = defineControl('Pact states', {
  changePactState: {
    summary: 'The state change address for verifiers of Pact; an unknown state is 400 and lists those that there are',
    body: pactStateChange.optional(),
    optionalBody: true,
    reply: pactStateValues,
    otherStatuses: [400],
    example: { body: { state: 'operation 30 is unavailable', action: 'setup' } },
  },
})
