import * as z from 'zod'
import { noContent } from '../operation.ts'
import { fault, faultDraft, profileNames } from '../records/control/fault.ts'
import { pageOf } from '../records/parameters.ts'
import { defineControl } from './define.ts'

export const faultOperations = defineControl('Faults', {
  addFault: {
    summary: 'Add a fault',
    description: 'Changes or delays responses of this instance. Errors have the format of the called API.',
    body: faultDraft,
    // A fault may return a response that contains empty and null values.
    keepsUnchanged: ['body', 'headers'],
    reply: fault,
    otherStatuses: [409],
    example: { body: { match: { operation: 30 }, respond: { status: 503, retryAfter: 1 }, times: 1 } },
  },
  addFaultProfile: {
    summary: 'Add a built-in set of faults',
    params: z.object({ name: z.enum(profileNames).meta({ example: 'flaky' }) }),
    reply: pageOf(fault),
    otherStatuses: [409],
  },
  listFaults: { summary: 'List faults', reply: pageOf(fault) },
  clearFaults: { summary: 'Delete all faults', reply: noContent },
  deleteFault: {
    summary: 'Delete a fault',
    params: z.object({ faultId: z.string() }),
    reply: noContent,
    example: { needs: 'faultId, from addFault' },
  },
})
