import { api } from '#tools/console/address.ts'
import { readAll, useAnswer } from '#tools/console/hooks.ts'
import { Badge, type Tone } from '#tools/console/parts/state.tsx'
import { type Column, Table } from '#tools/console/parts/table.tsx'
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

/** The page reads no more tickets than this, so that a large world does not block it. */
const MOST = 2000

const columns: readonly Column<Ticket>[] = [
  { title: 'Customer', value: (ticket) => `${nameOf(ticket)} ${emailOf(ticket) ?? ''}`, cell: nameOf },
  { title: 'Status', width: '7rem', value: statusOf, cell: (ticket) => <StatusBadge ticket={ticket} /> },
  { title: 'Request', width: '7.5rem', value: ({ srid }) => srid },
  { title: 'Service', value: serviceOf, minor: true },
  { title: 'Appointment', width: '10rem', value: appointmentOf, minor: true },
]

export function TicketList({ collection, openedId }: { collection: string; openedId: string | undefined }) {
  const load = () => readAll((page) => api.records.list<Ticket>(collection, page), MOST)
  const tickets = useAnswer(collection, load, { keep: true })
  return (
    <Table
      label="Service requests"
      noun="ticket"
      of={tickets}
      columns={columns}
      keyOf={({ srid }) => srid}
      hrefOf={({ srid }) => linkTo('tickets', srid)}
      opened={openedId}
      placeholder="customer, email, srid, model"
      empty="No ticket matches."
    />
  )
}

export function nameOf({ customer, firstName, lastName }: Ticket): string {
  return `${customer?.firstName ?? firstName ?? ''} ${customer?.lastName ?? lastName ?? ''}`.trim()
}

export function emailOf({ customer, email }: Ticket): string | undefined {
  return customer?.email ?? email
}

function serviceOf({ serviceType, modelCode = '' }: Ticket): string {
  return `${serviceType} ${modelCode}`
}

function appointmentOf({ appointment }: Ticket): string {
  return appointment ? `${appointment.date} ${appointment.startTime}` : ''
}

const states: Readonly<Record<string, readonly [Tone, string]>> = {
  E0001: ['calm', 'open'],
  E0002: ['good', 'in process'],
  E0003: ['plain', 'closed'],
}

function statusOf({ status, statusReasonCode }: Ticket): string {
  return statusReasonCode?.toLowerCase() ?? states[status]?.[1] ?? status
}

export function StatusBadge({ ticket }: { ticket: Ticket }) {
  const text = statusOf(ticket)
  return <Badge tone={text === 'cancelled' ? 'warn' : states[ticket.status]?.[0]}>{text}</Badge>
}
