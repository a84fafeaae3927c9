import type { z } from 'zod'
import { recordOperations } from '#contract/control/records.ts'
import { deleteRecord, listCollections, listRecords, putRecord, requireRecord } from '../domain/control/records.ts'
import { type CheckedRequest, compileInput } from '../http/input/input.ts'
import { readRawBody } from '../http/input/json-body.ts'
import { toKnownProfile } from './choices.ts'
import { implementControl } from './context.ts'
import { sendPage } from './large-pages.ts'

const { query: paging } = recordOperations.listRecords
const checkPaging = compileInput({ query: paging })

export const records = implementControl(recordOperations, {
  listCollections: async ({ ports }) => listCollections(ports),
  listRecords: async (request, reply) => {
    const { filters, page } = readQuery(request)
    return sendPage(request, reply, await listRecords(request.ports, request.params.collection, filters, page))
  },

  getRecord: async ({ ports, params }) => requireRecord(ports, params.collection, params.key),
  putRecord: async (request) => {
    const { ports, params, server } = request
    return putRecord(ports, params, readRawBody(request), (profile, target) =>
      toKnownProfile(profile, target, server.knownPaths.list()),
    )
  },

  deleteRecord: async ({ ports, params }) => deleteRecord(ports, params.collection, params.key),
})

/**
 * Every parameter except paging is a filter; an empty one counts as absent, and a repeated one means any of its values.
 */
function readQuery(request: CheckedRequest) {
  const { limit: _limit, offset: _offset, ...rest } = request.query as Record<string, string | string[]>
  checkPaging(request)
  const filters = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== ''))
  return { filters, page: request.query as z.output<typeof paging> }
}
