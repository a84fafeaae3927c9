import * as z from 'zod'
import { noContent } from '../operation.ts'
import { fault, faultDraft, profileNames } from '../records/control/fault.ts'
import { pageOf } from '../records/parameters.ts'
import { defineControl } from './define.ts'

export const faultOperations = defineControl('Faults', {
  addFault: {
    summary: "Provoke a failure, in the document's own dialect; this instance only",
    body: faultDraft,
    // An empty page is a page, and a null in a reply is one.
    keepsWhole: ['body', 'headers'],
    reply: fault,
    otherStatuses: [409],
    example: { body: { match: { operation: 30 }, respond: { status: 503, retryAfter: 1 }, times: 1 } },
  },
  addFaultProfile: {
    summary: 'Add the faults of a ready-made profile',
    params: z.object({ name: z.enum(profileNames).meta({ example: 'flaky' }) }),
    reply: pageOf(fault),
    otherStatuses: [409],
  },
  listFaults: { summary: 'List faults', reply: pageOf(fault) },
  clearFaults: { summary: 'No more failures', reply: noContent },
  deleteFault: {
    summary: 'Delete a fault',
    params: z.object({ faultId: z.string() }),
    reply: noContent,
    example: { needs: 'faultId, from addFault' },
  },
})
