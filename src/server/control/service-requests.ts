import { progressOperations, ticketOperations } from '#contract/control/tickets.ts'
import { listComingMoves } from '../domain/appointments/course-moves.ts'
import { completeTicket, confirmTicket } from '../domain/control/ticket-progress.ts'
import { implementControl } from './context.ts'

export const serviceRequests = implementControl(ticketOperations, {
  confirmTicket: async ({ ports, params }) => confirmTicket(ports, params.srid),
  completeTicket: async ({ ports, params }) => completeTicket(ports, params.srid),
})

export const progress = implementControl(progressOperations, {
  listMoves: async ({ ports, query }) => listComingMoves(ports, query),
})
