import type { Ports } from '../../ports.ts'
import type { View } from '../../ports/store.ts'
import type { ServiceRequest } from '../../../contract/records/dealer/service-request.ts'
import type { TicketSortField } from '../../../contract/records/dealer/ticket.ts'
import { findPhoneNumber } from '../../../contract/records/formats.ts'
import type { TicketStatus } from '../../../contract/records/progress.ts'
import { withMissedStatus } from '../appointments/appointments.ts'
import type { Dealer } from '../identity.ts'
import { type Filters, type OffsetPage, toOffsetPage } from '../paging.ts'

interface TicketFilters extends Filters<'ticketNumber' | 'phoneNumber' | 'srId' | 'serviceType'> {
  statusList?: readonly TicketStatus[] | undefined
  bpNoList?: readonly string[] | undefined
}

export interface TicketSearch extends TicketFilters {
  subCategory?: string | undefined
  /** The newest ticket comes first unless a field or direction is given (our choice); a field alone is ascending. */
  sortField?: TicketSortField | undefined
  sortDirection?: 'asc' | 'desc' | undefined
  offset: number
  limit: number
}

/** Operation 19: the dealer's own tickets, in-store requests not among them (our choice). */
export async function listTickets(
  { store, clock }: Ports,
  { companyId }: Dealer,
  { sortField, sortDirection, offset, limit, subCategory, ...filters }: TicketSearch,
): Promise<OffsetPage<ServiceRequest>> {
  const modelCode = subCategory === undefined ? undefined : await modelsOf(store, subCategory)
  const where = { companyId, modelCode, ...conditionsOf(filters) }
  const orderBy = { field: sortField ?? 'createdAt', direction: sortDirection ?? (sortField ? 'asc' : 'desc') }
  const now = clock.now()
  const tickets = await store.tickets.find({ where, orderBy, offset, limit, asOf: now })
  const items = tickets.map((ticket) => withMissedStatus(ticket, now))
  return toOffsetPage(items, await store.tickets.count(where, now), offset, limit)
}

/** A category is named by its id, or by its name in any letter case; an unknown one has no models. */
async function modelsOf({ productCategories, productModels }: View, named: string): Promise<string[]> {
  const wanted = named.toLowerCase()
  const categories = await productCategories.find()
  const ids = categories.filter(({ id, name }) => [id.toLowerCase(), name.toLowerCase()].includes(wanted))
  const models = await productModels.find({ where: { category: ids.map(({ id }) => id) } })
  return models.map(({ modelCode }) => modelCode)
}

/** Operation 19 declares no 400: an srid, number or phone that cannot be one matches nothing, as for operation 20. */
function conditionsOf({ statusList, bpNoList, ticketNumber, phoneNumber, srId, serviceType }: TicketFilters) {
  return {
    srid: srId,
    ticketNumber,
    bpNo: bpNoList,
    phoneNumber: phoneNumber === undefined ? undefined : (findPhoneNumber(phoneNumber) ?? []),
    serviceType: serviceType?.toUpperCase(),
    // All statuses together are no condition, so that the list is read straight from its index.
    status: new Set(statusList).size === 3 ? undefined : statusList,
  }
}
