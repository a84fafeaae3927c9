import { z } from 'zod'
import { profileNames } from '../domain/control/fault-profiles.ts'
import { addFault, addFaultProfile, deleteFault, listFaults } from '../domain/control/faults.ts'
import { noContent } from '../http/zod.ts'
import { fault, faultDraft } from '../schemas/control/fault.ts'
import { controlOperation } from './context.ts'
import { assertReachable } from './reachable-faults.ts'

const tag = 'Faults'

export const faults = [
  controlOperation({
    operation: 'addFault',
    method: 'POST',
    path: '/_control/faults',
    tag,
    summary: "Provoke a failure, in the document's own dialect; this instance only",
    body: faultDraft,
    reply: fault,
    further: [400],
    run: async ({ ports, body, server }) => {
      assertReachable(body, server.knownPaths.list())
      return addFault(ports, body)
    },
  }),

  controlOperation({
    operation: 'addFaultProfile',
    method: 'POST',
    path: '/_control/faults/profiles/:name',
    tag,
    summary: 'Add the faults of a ready-made profile',
    params: z.object({ name: z.enum(profileNames).meta({ example: 'flaky' }) }),
    reply: z.object({ items: z.array(fault), totalCount: z.int() }),
    further: [400],
    run: async ({ ports, params }) => addFaultProfile(ports, params.name),
  }),

  controlOperation({
    operation: 'listFaults',
    method: 'GET',
    path: '/_control/faults',
    tag,
    reply: z.object({ items: z.array(fault), totalCount: z.int() }),
    run: async ({ ports }) => listFaults(ports),
  }),

  controlOperation({
    operation: 'clearFaults',
    method: 'DELETE',
    path: '/_control/faults',
    tag,
    summary: 'No more failures',
    reply: noContent,
    run: async ({ ports }) => ports.faults.clear(),
  }),

  controlOperation({
    operation: 'deleteFault',
    method: 'DELETE',
    path: '/_control/faults/:faultId',
    tag,
    params: z.object({ faultId: z.string() }),
    reply: noContent,
    further: [404],
    run: async ({ ports, params }) => deleteFault(ports, params.faultId),
  }),
]
