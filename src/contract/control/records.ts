import * as z from 'zod'
import { toSameCase } from '../records/formats.ts'
import { noContent } from '../operation.ts'
import { collectionSummary, record } from '../records/control/status.ts'
import { pageOf, paging } from '../records/parameters.ts'
import { defineControl } from './define.ts'

const collection = z.string().meta({ description: 'Its plural noun', example: 'tickets' })

const params = z.object({ collection, key: z.string().overwrite(toSameCase) })

export const recordOperations = defineControl('Records', {
  listCollections: {
    summary: 'The collections, and the field that the records of each are found by',
    reply: pageOf(collectionSummary),
  },
  listRecords: {
    validatesItself: true,
    summary: 'A page of a collection; the fields of its key and indexes filter it',
    params: params.pick({ collection: true }),
    query: paging,
    reply: pageOf(record),
  },
  getRecord: {
    summary: 'Read a record',
    params,
    reply: record,
    example: { needs: 'key of a record, from listRecords' },
  },
  putRecord: {
    // A collection's schema may take null and empty texts as values.
    validatesItself: true,
    summary: "Put a record, checked by its collection's schema",
    params,
    body: record,
    reply: record,
    otherStatuses: [409],
    example: {
      params: { collection: 'partners', key: 'partner-2001' },
      body: { partnerCode: 'partner-2001', name: 'Harbor Ferries' },
    },
  },
  deleteRecord: {
    summary: 'Delete a record',
    params,
    reply: noContent,
    example: { needs: 'key of a record, from listRecords' },
  },
})
