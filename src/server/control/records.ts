import { z } from 'zod'
import { deleteRecord, listCollections, listRecords, putRecord, requireRecord } from '../domain/control/records.ts'
import { type CheckedRequest, compileInput } from '../http/input/input.ts'
import { readRawBody } from '../http/input/json-body.ts'
import { limit, offset } from '../../contract/records/parameters.ts'
import { noContent } from '../../contract/operation.ts'
import { collectionSummary, record, recordPage } from '../../contract/records/control/status.ts'
import { controlOperations } from './context.ts'

const collection = z.string().meta({ description: 'Its plural noun', example: 'tickets' })
const paging = z.object({ limit, offset })
const checkPaging = compileInput({ query: paging })

const declare = controlOperations('Records')
const params = z.object({ collection, key: z.string() })

export const records = [
  declare({
    operation: 'listCollections',
    route: 'GET /_control/records',
    summary: 'The collections, and the field that the records of each are found by',
    reply: z.object({ items: z.array(collectionSummary), totalCount: z.int() }),
    run: async ({ ports }) => listCollections(ports),
  }),

  declare({
    operation: 'listRecords',
    route: 'GET /_control/records/:collection',
    judgesInput: true,
    summary: 'A page of a collection; the fields of its key and indexes filter it',
    params: params.pick({ collection: true }),
    query: paging,
    reply: recordPage,
    further: [400, 404],
    run: async (request) => {
      const { filters, page } = readQuery(request)
      return listRecords(request.ports, request.params.collection, filters, page)
    },
  }),

  declare({
    operation: 'getRecord',
    route: 'GET /_control/records/:collection/:key',
    params,
    reply: record,
    further: [404],
    run: async ({ ports, params }) => requireRecord(ports, params.collection, params.key),
  }),

  declare({
    operation: 'putRecord',
    route: 'PUT /_control/records/:collection/:key',
    // Null and empty fields of a record mean something: they are judged by its own schema.
    judgesInput: true,
    summary: "Put a record, checked by its collection's schema",
    params,
    body: record,
    reply: record,
    further: [400, 404, 409],
    run: async (request) => {
      const { collection, key } = request.params
      return putRecord(request.ports, collection, key, readRawBody(request))
    },
  }),

  declare({
    operation: 'deleteRecord',
    route: 'DELETE /_control/records/:collection/:key',
    params,
    reply: noContent,
    further: [404],
    run: async ({ ports, params }) => deleteRecord(ports, params.collection, params.key),
  }),
]

/** Every parameter but the paging is a filter; an empty one counts as absent, a repeated one means any of them. */
function readQuery(request: CheckedRequest) {
  const { limit: _limit, offset: _offset, ...rest } = request.query as Record<string, string | string[]>
  checkPaging(request)
  const filters = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== ''))
  return { filters, page: request.query as z.output<typeof paging> }
}
