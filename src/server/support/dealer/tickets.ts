import { ticketOperations } from '#contract/documents/support/dealer/tickets.ts'
import { listTickets } from '#server/domain/dealer/ticket-search.ts'
import { lookUpTicket } from '#server/domain/dealer/tickets.ts'
import { implement } from '../operation.ts'

export const tickets = implement(ticketOperations, {
  19: async ({ ports, caller, query }) => {
    const { 'sorts[0].field': sortField, 'sorts[0].direction': sortDirection, ...search } = query
    return listTickets(ports, caller, { sortField, sortDirection, ...search })
  },
  20: async ({ ports, caller, params }) => lookUpTicket(ports, caller, params.id),
})
