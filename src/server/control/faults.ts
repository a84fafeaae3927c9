import { faultOperations } from '../../contract/control/faults.ts'
import { addFault, addFaultProfile, deleteFault, listFaults } from '../domain/control/faults.ts'
import { implementControl } from './context.ts'
import { assertReachable, readOperation } from './known-operations.ts'

export const faults = implementControl(faultOperations, {
  addFault: async ({ ports, body, server }) => {
    const known = server.knownPaths.list()
    const operation = readOperation(body.match.operation, 'body.match.operation', known)
    const draft = { ...body, match: { ...body.match, ...(operation !== undefined && { operation }) } }
    assertReachable(draft, known)
    return addFault(ports, draft)
  },

  addFaultProfile: async ({ ports, params }) => addFaultProfile(ports, params.name),
  listFaults: async ({ ports }) => listFaults(ports),

  clearFaults: async ({ ports }) => ports.faults.clear(),
  deleteFault: async ({ ports, params }) => deleteFault(ports, params.faultId),
})
