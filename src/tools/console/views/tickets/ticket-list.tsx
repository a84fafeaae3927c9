import { api } from '#tools/console/address.ts'
import { readAll, useAnswer } from '#tools/console/live.ts'
import { Badge, type Tone } from '#tools/console/parts/basics.tsx'
import { type Column, Table } from '#tools/console/parts/table.tsx'
import { linkTo } from '#tools/console/route.ts'
import type { RecordOf } from '#contract/records/collections.ts'

export type Ticket = RecordOf<'tickets'> | RecordOf<'inStoreRequests'>

/** The page reads no more tickets than this, so that a large world does not block it. */
const MOST = 2000

const columns: readonly Column<Ticket>[] = [
  { title: 'Customer', value: searchedOf, cell: nameOf },
  { title: 'Status', width: '7rem', value: statusOf, cell: (ticket) => <StatusBadge ticket={ticket} /> },
  { title: 'Request', width: '7.5rem', value: ({ srid }) => srid },
  { title: 'Service', value: ({ serviceType, modelCode = '' }) => `${serviceType} ${modelCode}`, minor: true },
  {
    title: 'Appointment',
    width: '10rem',
    value: ({ appointment }) => (appointment ? `${appointment.date} ${appointment.startTime}` : ''),
    minor: true,
  },
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
      placeholder="customer, email, phone, ZIP code, bpNo, srid, model"
      empty="No ticket matches."
    />
  )
}

/** A dealer's ticket holds its customer, and a request in store the sender. */
export const personOf = (ticket: Ticket) => ('customer' in ticket ? ticket.customer : ticket)

export function nameOf(ticket: Ticket): string {
  const { firstName, lastName } = personOf(ticket)
  return `${firstName} ${lastName}`
}

/** A phone number is found with and without its dashes. */
function searchedOf(ticket: Ticket): string {
  const { email, zipCode } = personOf(ticket)
  const phones = phonesOf(ticket)
  const dashed = phones.map((phone) => phone.replace(/^\+1(...)(...)/, '$1-$2-'))
  return [nameOf(ticket), email, zipCode, ...phones, ...dashed, 'bpNo' in ticket ? ticket.bpNo : ''].join(' ')
}

export function phonesOf(ticket: Ticket): string[] {
  const phones = 'customer' in ticket ? [ticket.phoneNumber, ticket.customer.mobilePhone] : [ticket.mobilePhone]
  return phones.filter((phone) => phone !== undefined)
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
