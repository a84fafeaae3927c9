import { z } from 'zod'
import { profileNames } from '../domain/control/fault-profiles.ts'
import { addFault, addFaultProfile, deleteFault, listFaults } from '../domain/control/faults.ts'
import { noContent } from '../../contract/operation.ts'
import { fault, faultDraft, faultPage } from '../../contract/records/control/fault.ts'
import { controlOperations } from './context.ts'
import { assertReachable } from './known-operations.ts'

const declare = controlOperations('Faults')

export const faults = [
  declare({
    operation: 'addFault',
    route: 'POST /_control/faults',
    summary: "Provoke a failure, in the document's own dialect; this instance only",
    body: faultDraft,
    reply: fault,
    further: [400],
    run: async ({ ports, body, server }) => {
      assertReachable(body, server.knownPaths.list())
      return addFault(ports, body)
    },
  }),

  declare({
    operation: 'addFaultProfile',
    route: 'POST /_control/faults/profiles/:name',
    summary: 'Add the faults of a ready-made profile',
    params: z.object({ name: z.enum(profileNames).meta({ example: 'flaky' }) }),
    reply: faultPage,
    further: [400],
    run: async ({ ports, params }) => addFaultProfile(ports, params.name),
  }),

  declare({
    operation: 'listFaults',
    route: 'GET /_control/faults',
    reply: faultPage,
    run: async ({ ports }) => listFaults(ports),
  }),

  declare({
    operation: 'clearFaults',
    route: 'DELETE /_control/faults',
    summary: 'No more failures',
    reply: noContent,
    run: async ({ ports }) => ports.faults.clear(),
  }),

  declare({
    operation: 'deleteFault',
    route: 'DELETE /_control/faults/:faultId',
    params: z.object({ faultId: z.string() }),
    reply: noContent,
    further: [404],
    run: async ({ ports, params }) => deleteFault(ports, params.faultId),
  }),
]
