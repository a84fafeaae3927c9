import * as z from 'zod'
import { toSameCase } from '../records/formats.ts'
import { noContent } from '../operation.ts'
import { collectionSummary, record } from '../records/control/status.ts'
import { pageOf, paging } from '../records/parameters.ts'
import { defineControl } from './define.ts'

const collection = z.string().meta({ description: 'Name of the collection', example: 'tickets' })

const params = z.object({ collection, key: z.string().overwrite(toSameCase) })

export const recordOperations = defineControl('Records', {
  listCollections: {
    summary: 'List collections',
    description: 'Collections with their key field and number of records.',
    reply: pageOf(collectionSummary),
  },
  listRecords: {
    validatesItself: true,
    summary: 'List records of a collection',
    description: 'To filter the list, use the name of the key field or of an indexed field as a query parameter.',
    params: params.pick({ collection: true }),
    query: paging,
    reply: pageOf(record),
  },
  getRecord: {
    summary: 'Get a record',
    params,
    reply: record,
    example: { needs: 'key of a record, from listRecords' },
  },
  putRecord: {
    // The handler validates the record, because null and empty strings are valid values in some collections.
    validatesItself: true,
    summary: 'Create or replace a record',
    description: 'Validates the record with the schema of its collection.',
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
