import * as z from 'zod'
import { defineOperations } from '#contract/operation.ts'
import { direction, flag, ignorable, int32From, pageSize, tolerantFilter } from '#contract/records/parameters.ts'
import { type StoreField, storeFields, storeList, storeSortFields } from '#contract/records/dealer/store-location.ts'
import { companyId } from '../parameters.ts'

const names = z.string().transform((text) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean),
)

const fields = names
  .pipe(z.array(z.enum(storeFields, `must be a list of ${storeFields.join(', ')}, separated by commas`)))
  .default([])
  .meta({
    choice: 'store-list',
    description: 'Fields to return, separated by commas. Default: all.',
    example: 'storeId,storeName',
    openapi: { type: 'string' },
    tolerated: names.transform((all) =>
      all.filter((name): name is StoreField => storeFields.some((each) => each === name)),
    ),
  })

const SHAPE = 'document 1, section 4, store list'

const storeQuery = z.object({
  'sort.field': ignorable(z.enum(storeSortFields).default('storeName')).meta({ choice: 'list-sorting' }),
  'sort.direction': ignorable(direction.default('asc')),
  pagination: flag
    .meta({ source: SHAPE })
    .default(false)
    .describe('true: returns one page. Implied by `pageNo` and `size`. Otherwise the first 100 stores are returned.'),
  pageNo: int32From(1)
    .meta({ source: SHAPE, choice: 'paging' })
    .optional()
    .describe('Page number, starting at 1. Default: 1.'),
  size: pageSize.meta({ source: SHAPE }).optional(),
  fields,
  accessToken: z.string().optional().describe('Ignored'),
  storeId: tolerantFilter.optional(),
  storeNumber: tolerantFilter.optional(),
  storePhone: tolerantFilter
    .optional()
    .meta({ description: 'Phone number in any common notation', example: '201-555-0143' }),
  companyId,
})

export const storeOperations = defineOperations(
  { scope: 'dealers', tag: 'Dealer Portal' },
  {
    17: {
      route: 'GET /stg/us/dealer/stores',
      summary: 'List stores',
      description: "Stores of the dealer's company.",
      query: storeQuery,
      reply: storeList,
      otherStatuses: [404],
      example: { query: { pagination: 'true', pageNo: '1', size: '2', accessToken: 'token-home' } },
    },
  },
)
