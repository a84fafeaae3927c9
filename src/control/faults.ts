import { z } from 'zod'
import { profileNames } from '../domain/control/fault-profiles.ts'
import { addFault, addFaultProfile, deleteFault, listFaults } from '../domain/control/faults.ts'
import { errorBody } from '../http/json-errors.ts'
import { noContent } from '../http/zod.ts'
import { fault, faultDraft } from '../schemas/control/fault.ts'
import type { ControlApp } from './context.ts'
import { assertReachable } from './reachable-faults.ts'

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
    handler: async ({ ports, body, server }) => {
      assertReachable(body, server.knownPaths.list())
      return addFault(ports, body)
    },
  })

  app.post('/_control/faults/profiles/:name', {
    config: { operation: 'addFaultProfile' },
    schema: {
      tags,
      summary: 'Add the faults of a ready-made profile',
      params: z.object({ name: z.enum(profileNames) }),
      response: { 200: z.object({ items: z.array(fault), totalCount: z.int() }), 400: errorBody, 403: errorBody },
    },
    handler: async ({ ports, params }) => addFaultProfile(ports, params.name),
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
