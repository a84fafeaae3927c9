import type { Ports, View } from '../../ports.ts'
import { findPhoneNumber } from '../../schemas/formats.ts'
import type { Ticket, TicketSortField, TicketStatus } from '../../schemas/dealer/service-request.ts'
import { DomainError } from '../errors.ts'
import type { Dealer } from '../identity.ts'
import { type OffsetPage, toOffsetPage } from '../paging.ts'

export interface TicketSearch {
  statusList?: readonly TicketStatus[] | undefined
  bpNoList?: readonly string[] | undefined
  ticketNumber?: string | undefined
  phoneNumber?: string | undefined
  srId?: string | undefined
  serviceType?: string | undefined
  /** Newest first unless it or a direction says otherwise (our choice); a field alone is ascending. */
  sortField?: TicketSortField | undefined
  sortDirection?: 'asc' | 'desc' | undefined
  offset: number
  limit: number
}

/** Operation 19: the dealer's own tickets, in-store requests not among them (our choice). */
export async function listTickets(
  { store }: Pick<Ports, 'store'>,
  { companyId }: Dealer,
  { sortField, sortDirection, offset, limit, ...filters }: TicketSearch,
): Promise<OffsetPage<Ticket>> {
  const where = { companyId, ...conditionsOf(filters) }
  const orderBy = { field: sortField ?? 'createdAt', direction: sortDirection ?? (sortField ? 'asc' : 'desc') }
  const items = await store.tickets.find({ where, orderBy, offset, limit })
  return toOffsetPage(items, await store.tickets.count(where), offset, limit)
}

/** Operation 20. */
export async function lookUpTicket({ store }: Pick<Ports, 'store'>, dealer: Dealer, srid: string): Promise<Ticket> {
  return requireTicket(store, dealer, srid)
}

/** The dealer's own ticket; one of another company is as if it did not exist (our choice). */
export async function findTicket(
  { tickets }: Pick<View, 'tickets'>,
  { companyId }: Dealer,
  srid: string,
): Promise<Ticket | undefined> {
  const ticket = await tickets.get(srid)
  return ticket?.companyId === companyId ? ticket : undefined
}

/** The text is the same for foreign and unknown, and repeats no id: the answers differ in nothing. */
export async function requireTicket(view: Pick<View, 'tickets'>, dealer: Dealer, srid: string): Promise<Ticket> {
  const ticket = await findTicket(view, dealer, srid)
  if (!ticket) throw new DomainError('not-found', 'no ticket of yours has this srid', { source: 'our choice' })
  return ticket
}

/** Operation 19 declares no 400: an srid, number or phone that cannot be one matches nothing, as for operation 20. */
function conditionsOf(
  filters: Pick<TicketSearch, 'statusList' | 'bpNoList' | 'ticketNumber' | 'phoneNumber' | 'srId' | 'serviceType'>,
) {
  const { statusList, bpNoList, ticketNumber, phoneNumber, srId, serviceType } = filters
  return {
    srid: srId,
    ticketNumber,
    bpNo: bpNoList,
    phoneNumber: phoneNumber === undefined ? undefined : (findPhoneNumber(phoneNumber) ?? []),
    serviceType: serviceType?.toUpperCase(),
    // All of the statuses is no condition at all, and a list without one is read straight from its index.
    status: new Set(statusList).size === 3 ? undefined : statusList,
  }
}
