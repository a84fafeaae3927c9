import { noContent } from '../operation.ts'
import { pactStateChange, pactStateValues } from '../records/control/pact-state.ts'
import { snapshot } from '../records/snapshot.ts'
import { defineControl } from './define.ts'

export const snapshotOperations = defineControl('Snapshot', {
  takeSnapshot: { summary: 'The whole world as one canonical JSON document, made for git', reply: snapshot },
  restoreSnapshot: {
    // Null and empty fields of records mean something: the domain reads the document as it is.
    validatesItself: true,
    bulk: true,
    summary: 'Restore a world, whole or not at all; live streams end',
    body: snapshot,
    reply: noContent,
    otherStatuses: [400, 413],
    // Our choice: images make a snapshot large; on this route only.
    bodyLimit: 256 * 1024 * 1024,
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
