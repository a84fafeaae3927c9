import { faultOperations } from '#contract/control/faults.ts'
import { type Fault, PROFILE_HITS, readStoredHits } from '#contract/records/control/fault.ts'
import { draftsOf } from '#contract/records/control/ready-made.ts'
import { suggestNearest } from '#contract/records/nearest.ts'
import { addFault, assertRoom } from '../chaos/faults.ts'
import { notFound } from '../domain/errors.ts'
import { implementControl } from './context.ts'
import { toKnownFault } from '../chaos/known-operations.ts'

export const faults = implementControl(faultOperations, {
  addFault: async ({ ports, body, server }) => addFault(ports, toKnownFault(body, 'body', server.knownPaths.list())),

  addFaultProfile: async ({ ports, params }) => {
    const drafts = draftsOf(params.name)
    assertRoom(ports.faults, drafts.length)
    const items: Fault[] = []
    for (const draft of drafts) items.push(await addFault(ports, draft as FaultToAdd))
    return { items, totalCount: items.length }
  },

  listFaults: async ({ ports: { faults, store } }) => {
    // The hit counts of the profile's faults may have changed in another instance, so the stored counts are read.
    if (faults.list().some(({ profile }) => profile !== undefined)) {
      faults.setHits(readStoredHits(await store.settings.get(PROFILE_HITS)))
    }
    const items = [...faults.list()]
    return { items, totalCount: items.length }
  },

  clearFaults: async ({ ports }) => ports.faults.clear(),
  deleteFault: async ({ ports, params: { faultId } }) => {
    if (ports.faults.delete(faultId)) return
    const known = ports.faults.list().map((fault) => fault.faultId)
    const nearest = suggestNearest(faultId, known, '; GET /_control/faults lists them')
    throw notFound(`no fault has the id ${faultId}${nearest}`, 'our choice: control-refusals')
  },
})

type FaultToAdd = Parameters<typeof addFault>[1]
