import type { Ports } from '#server/ports.ts'
import type { View, Where } from '#server/ports/store.ts'
import type { World } from '#server/ports/world.ts'
import type { ServiceRequest } from '#contract/records/dealer/service-request.ts'
import { type Ticket, type TicketSortField, ticketOrders } from '#contract/records/dealer/ticket.ts'
import { findPhoneNumber } from '#contract/records/formats.ts'
import { utcDate } from '#contract/records/local-times.ts'
import type { TicketStatus } from '#contract/records/progress.ts'
import { closesAt, withStatusAt } from '../appointments/appointments.ts'
import type { Dealer } from '../identity.ts'
import { type Filters, type OffsetPage, pageSizeOf, toOffsetPage } from '../paging.ts'

interface TicketFilters extends Filters<'ticketNumber' | 'phoneNumber' | 'srId' | 'serviceType'> {
  statusList?: readonly string[] | undefined
  bpNoList?: readonly string[] | undefined
}

export interface TicketSearch extends TicketFilters {
  subCategory?: string | undefined
  /** Default: newest first. If the query has only `sortField`, the order is ascending. */
  sortField?: TicketSortField | undefined
  sortDirection?: 'asc' | 'desc' | undefined
  offset: number
  limit?: number | undefined
}

/**
 * Operation 19, without in-store requests (our choice). Expired tickets are stored as open, so pages that depend on the
 * status are corrected.
 */
export async function listTickets(
  { store, clock, world: { choices } }: Pick<Ports, 'store' | 'clock'> & { world: Pick<World, 'choices'> },
  { companyId }: Dealer,
  { sortField, sortDirection, offset, limit: asked, subCategory, ...filters }: TicketSearch,
): Promise<OffsetPage<ServiceRequest>> {
  const limit = pageSizeOf(asked, choices)
  const modelCode = subCategory === undefined ? undefined : await modelsOf(store, subCategory)
  const where = { companyId, modelCode, ...conditionsOf(filters) }
  const field = sortField ?? 'createdAt'
  const direction = sortDirection ?? (sortField ? 'asc' : 'desc')
  const sign = direction === 'asc' ? 1 : -1
  const orderBySrid = (a: Ticket, b: Ticket) => sign * compareTexts(a.srid, b.srid)
  const now = clock.now()
  const has = (status: TicketStatus) => where.status?.includes(status) ?? true
  if (!isOrder(field)) {
    const all = await store.tickets.find({ where: { ...where, status: undefined } })
    const textOf = (ticket: Ticket) => String(ticket[field] ?? '')
    const found = all
      .map((ticket) => withStatusAt(ticket, now))
      .filter(({ status }) => has(status))
      .sort((a, b) => sign * compareTexts(textOf(a), textOf(b)) || orderBySrid(a, b))
    return toOffsetPage(found.slice(offset, offset + limit), found.length, offset, limit)
  }
  const orderBy = { field, direction } as const
  const affected = openStatuses.filter((status) =>
    field === 'status' ? has(status) || has('E0003') : has(status) !== has('E0003'),
  )
  const expired = await findExpired(store, where, affected, now)
  const leaving = expired.filter(({ status }) => has(status))
  const joining = has('E0003') ? expired : []

  // All `joining` tickets may come before the page, and all `leaving` ones may be removed from it.
  const start = Math.max(0, offset - joining.length)
  const end = offset + limit + leaving.length
  const stored = await store.tickets.find({ where, orderBy, offset: start, limit: end - start })
  const total = (await store.tickets.count(where)) - leaving.length + joining.length

  const orderByStored = (a: Ticket, b: Ticket) => sign * compareTexts(a[field], b[field]) || orderBySrid(a, b)
  const expiredIds = new Set(expired.map(({ srid }) => srid))
  const statusOf = ({ srid, status }: Ticket) => (expiredIds.has(srid) ? 'E0003' : status)
  const orderByStatus = (a: Ticket, b: Ticket) => sign * compareTexts(statusOf(a), statusOf(b)) || orderBySrid(a, b)

  const [first] = stored
  const skipped = first ? leaving.filter((ticket) => orderByStored(ticket, first) < 0).length : 0
  const staying = stored.filter(({ srid }) => !expiredIds.has(srid))
  const from = offset - start + skipped
  const shown = [...staying, ...joining].sort(field === 'status' ? orderByStatus : orderByStored)
  const items = shown.slice(from, from + limit).map((ticket) => withStatusAt(ticket, now))
  return toOffsetPage(items, total, offset, limit)
}

const isOrder = (field: TicketSortField): field is (typeof ticketOrders)[number] =>
  ticketOrders.some((each) => each === field)

const compareTexts = (a: string, b: string) => Number(a > b) - Number(a < b)

const openStatuses = ['E0001', 'E0002'] as const
const allStatuses = [...openStatuses, 'E0003'] as const

/** A ticket cannot expire before the UTC date of its appointment. */
async function findExpired(
  { tickets }: View,
  where: Where<'tickets'>,
  statuses: readonly TicketStatus[],
  now: number,
): Promise<Ticket[]> {
  const orderBy = { field: 'appointment.date', direction: 'asc' } as const
  const found = statuses.map((status) => tickets.find({ where: { ...where, status }, orderBy, upTo: utcDate(now) }))
  return (await Promise.all(found)).flat().filter((ticket) => (closesAt(ticket) ?? Infinity) <= now)
}

async function modelsOf({ productCategories, productModels }: View, named: string): Promise<string[]> {
  const wanted = named.toLowerCase()
  const categories = await productCategories.find()
  const ids = categories.filter(({ id, name }) => [id.toLowerCase(), name.toLowerCase()].includes(wanted))
  const models = await productModels.find({ where: { category: ids.map(({ id }) => id) } })
  return models.map(({ modelCode }) => modelCode)
}

/** Operation 19 does not declare 400, so a malformed value matches nothing. */
function conditionsOf({ statusList, bpNoList, ticketNumber, phoneNumber, srId, serviceType }: TicketFilters) {
  return {
    srid: srId,
    ticketNumber,
    bpNo: bpNoList,
    phoneNumber: phoneNumber === undefined ? undefined : (findPhoneNumber(phoneNumber) ?? []),
    serviceType: serviceType?.toUpperCase(),
    // A list that contains all statuses is not used as a condition, so that the store can read the page from an index.
    status: allStatuses.every((each) => statusList?.includes(each)) ? undefined : statusList,
  }
}
