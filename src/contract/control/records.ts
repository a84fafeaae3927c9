import { z } from 'zod'
import { defineOperations, noContent } from '../operation.ts'
import { collectionSummary, record, recordPage } from '../records/control/status.ts'
import { limit, offset } from '../records/parameters.ts'
import { controlRoutes } from './routes.ts'

const collection = z.string().meta({ description: 'Its plural noun', example: 'tickets' })

const params = z.object({ collection, key: z.string() })

export const recordOperations = defineOperations(
  { scope: 'control', tag: 'Records' },
  {
    listCollections: {
      route: controlRoutes.listCollections,
      summary: 'The collections, and the field that the records of each are found by',
      reply: z.object({ items: z.array(collectionSummary), totalCount: z.int() }),
    },
    listRecords: {
      route: controlRoutes.listRecords,
      judgesInput: true,
      summary: 'A page of a collection; the fields of its key and indexes filter it',
      params: params.pick({ collection: true }),
      query: z.object({ limit, offset }),
      reply: recordPage,
      further: [400, 404],
    },
    getRecord: {
      route: controlRoutes.getRecord,
      params,
      reply: record,
      further: [404],
    },
    putRecord: {
      route: controlRoutes.putRecord,
      // Null and empty fields of a record mean something: they are judged by its own schema.
      judgesInput: true,
      summary: "Put a record, checked by its collection's schema",
      params,
      body: record,
      reply: record,
      further: [400, 404, 409],
    },
    deleteRecord: {
      route: controlRoutes.deleteRecord,
      params,
      reply: noContent,
      further: [404],
    },
  },
)
