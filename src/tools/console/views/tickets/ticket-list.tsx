import { useState } from 'preact/hooks'
import { api } from '#tools/console/address.ts'
import { useAnswer } from '#tools/console/hooks.ts'
import { List, Row } from '#tools/console/parts/list.tsx'
import { Pager } from '#tools/console/parts/pager.tsx'
import { Badge, type Tone } from '#tools/console/parts/state.tsx'
import { linkTo } from '#tools/console/route.ts'

export interface Ticket {
  srid: string
  ticketNumber: string
  status: string
  statusDesc: string
  statusReasonCode?: string
  serviceType: string
  modelCode?: string
  ascCode?: string
  firstName?: string
  lastName?: string
  email?: string
  problemDescription?: string
  customer?: { firstName: string; lastName: string; email: string }
  appointment?: { date: string; startTime: string; endTime: string; timeZone: string; status: string }
  history: { at: string; from: string | null; to: string; reason: string }[]
  images: { imageId: string; fileName: string; contentType: string; size: number }[]
}

const PAGE = 25

export function TicketList({ collection, openedId }: { collection: string; openedId: string | undefined }) {
  const [offset, setOffset] = useState(0)
  const load = () => api.records.list<Ticket>(collection, { limit: PAGE, offset })
  const tickets = useAnswer(`${collection} ${offset}`, load, { keep: true })
  return (
    <>
      <List label="Service requests" kind="links" of={tickets} empty="There are none.">
        {(ticket) => (
          <Row key={ticket.srid} href={linkTo('tickets', ticket.srid)} opened={ticket.srid === openedId}>
            <strong>
              {nameOf(ticket)} <small>{ticket.srid}</small>
            </strong>
            <StatusBadge ticket={ticket} />
            <span>
              {ticket.serviceType} {ticket.modelCode}
            </span>
            <span>{ticket.appointment ? `${ticket.appointment.date} ${ticket.appointment.startTime}` : ''}</span>
          </Row>
        )}
      </List>
      <Pager offset={offset} size={PAGE} total={tickets.data?.totalCount ?? 0} move={setOffset} />
    </>
  )
}

export function nameOf({ customer, firstName, lastName }: Ticket): string {
  return `${customer?.firstName ?? firstName ?? ''} ${customer?.lastName ?? lastName ?? ''}`.trim()
}

const states: Readonly<Record<string, readonly [Tone, string]>> = {
  E0001: ['calm', 'open'],
  E0002: ['good', 'in process'],
  E0003: ['plain', 'closed'],
}

export function StatusBadge({ ticket: { status, statusReasonCode } }: { ticket: Ticket }) {
  const [tone, text] = states[status] ?? ['plain', status]
  const reason = statusReasonCode?.toLowerCase()
  return <Badge tone={reason === 'cancelled' ? 'warn' : tone}>{reason ?? text}</Badge>
}
