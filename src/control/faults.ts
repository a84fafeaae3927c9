import { z } from 'zod'
import { addFault, deleteFault, listFaults } from '../domain/control/faults.ts'
import { errorBody } from '../http/json-errors.ts'
import { noContent } from '../http/zod.ts'
import { fault, faultDraft } from '../schemas/control/fault.ts'
import type { ControlApp } from './context.ts'

export function faults(app: ControlApp): void {
  const tags = ['Faults']

  app.post('/_control/faults', {
    config: { operation: 'addFault' },
    schema: {
      tags,
      summary: "Provoke a failure, in the document's own dialect; this instance only",
      body: faultDraft,
      response: { 200: fault, 400: errorBody, 403: errorBody },
    },
    handler: async ({ ports, body }) => addFault(ports, body),
  })

  app.get('/_control/faults', {
    config: { operation: 'listFaults' },
    schema: { tags, response: { 200: z.object({ items: z.array(fault), totalCount: z.int() }), 403: errorBody } },
    handler: async ({ ports }) => listFaults(ports),
  })

  app.delete('/_control/faults', {
    config: { operation: 'clearFaults' },
    schema: { tags, summary: 'No more failures', response: { 204: noContent, 403: errorBody } },
    handler: async ({ ports }, reply) => {
      ports.faults.clear()
      return reply.code(204).send(undefined)
    },
  })

  app.delete('/_control/faults/:faultId', {
    config: { operation: 'deleteFault' },
    schema: {
      tags,
      params: z.object({ faultId: z.string() }),
      response: { 204: noContent, 403: errorBody, 404: errorBody },
    },
    handler: async ({ ports, params }, reply) => {
      deleteFault(ports, params.faultId)
      return reply.code(204).send(undefined)
    },
  })
}
