import * as z from 'zod'
import { defineOperations } from '#contract/operation.ts'
import { direction, filter, flag, int32, pageSize } from '#contract/records/parameters.ts'
import { storeFields, storeList, storeSortFields } from '#contract/records/dealer/store-location.ts'
import { companyId } from '../parameters.ts'

/** Our choice: a name that is no field is refused, so that a misspelt one is not silently missing. */
const fields = filter
  .transform((names) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  )
  .pipe(z.array(z.enum(storeFields, `must be a list of ${storeFields.join(', ')}, separated by commas`)))
  .default([])
  .meta({
    description: 'Fields to show, separated by commas; default all',
    example: 'storeId,storeName',
    openapi: { type: 'string' },
  })

const SHAPE = 'document 1, section 4, store list'

const storeQuery = z.object({
  'sort.field': z.enum(storeSortFields).default('storeName'),
  'sort.direction': direction.default('asc'),
  pagination: flag
    .meta({ source: SHAPE })
    .default(false)
    .meta({ description: 'Without it the first 100 stores are answered' }),
  pageNo: int32(1).meta({ source: SHAPE }).default(1).meta({ description: 'From 1; counts with pagination=true' }),
  size: pageSize.meta({ source: SHAPE }).default(20).meta({ description: 'Counts with pagination=true' }),
  fields,
  accessToken: z.string().optional().meta({ description: 'Accepted without effect' }),
  storeId: filter.optional(),
  storeNumber: filter.optional(),
  storePhone: filter.optional().meta({ description: 'In any usual notation', example: '201-555-0143' }),
  companyId,
})

export const storeOperations = defineOperations(
  { scope: 'dealers', tag: 'Dealer Portal' },
  {
    17: {
      route: 'GET /stg/us/dealer/stores',
      summary: 'List the stores of the company',
      query: storeQuery,
      reply: storeList,
      otherStatuses: [404],
      example: { query: { pagination: 'true', pageNo: '1', size: '2', accessToken: 'token-home' } },
    },
  },
)
