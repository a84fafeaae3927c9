import { faultOperations } from '#contract/control/faults.ts'
import { addFault, addFaultProfile, deleteFault, listFaults } from '../chaos/faults.ts'
import { implementControl } from './context.ts'
import { toKnownFault } from './known-operations.ts'

export const faults = implementControl(faultOperations, {
  addFault: async ({ ports, body, server }) => {
    return addFault(ports, toKnownFault(body, 'body', server.knownPaths.list()))
  },

  addFaultProfile: async ({ ports, params }) => addFaultProfile(ports, params.name),
  listFaults: async ({ ports }) => listFaults(ports),

  clearFaults: async ({ ports }) => ports.faults.clear(),
  deleteFault: async ({ ports, params }) => deleteFault(ports, params.faultId),
})
