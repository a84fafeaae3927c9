import type { Ports } from '#server/ports.ts'
import { findPhoneNumber } from '#contract/records/formats.ts'
import type { StoreField, StoreLocation, StoreSortField } from '#contract/records/dealer/store-location.ts'
import { localDate } from '#contract/records/local-times.ts'
import { withHolidays } from '../appointments/holidays.ts'
import type { Dealer } from '../identity.ts'
import { type Filters, type NumberedPage, pageSizeOf, toNumberedPage } from '../paging.ts'

export interface StoreSearch extends Filters<'storeId' | 'storeNumber' | 'storePhone'> {
  sortField: StoreSortField
  sortDirection: 'asc' | 'desc'
  /** If this is false and the query has no page number or size, the first `page-max` stores are returned. */
  pagination: boolean
  pageNo?: number | undefined
  size?: number | undefined
  fields: readonly StoreField[]
}

export async function listStores(
  { store, clock, world: { choices } }: Ports,
  { companyId }: Dealer,
  { storeId, storeNumber, storePhone, sortField, sortDirection, pagination, fields, ...paging }: StoreSearch,
): Promise<NumberedPage<Partial<StoreLocation>>> {
  const isPaged = pagination || paging.pageNo !== undefined || paging.size !== undefined
  const size = isPaged ? pageSizeOf(paging.size, choices) : choices['page-max']
  const { pageNo = 1 } = paging
  const phone = storePhone === undefined ? undefined : (findPhoneNumber(storePhone) ?? [])
  const where = { companyId, storeId, storeNumber, storePhone: phone }
  const kept = await store.stores.find({
    where,
    orderBy: { field: sortField, direction: sortDirection },
    offset: (pageNo - 1) * size,
    limit: size,
  })
  const found = kept.map((each) => storeHolidays(each, clock.now()))
  const items =
    fields.length === 0 ? found : found.map((each) => Object.fromEntries(fields.map((field) => [field, each[field]])))
  return toNumberedPage(items, await store.stores.count(where), pageNo, size)
}

function storeHolidays(store: StoreLocation, now: number): StoreLocation {
  return { ...store, closedDates: withHolidays(store.closedDates, localDate(now, store.timeZone)) }
}
