import { useState } from 'preact/hooks'
import { utcDate } from '#contract/records/local-times.ts'
import { Choice, Facts, Tabs } from '#tools/console/parts/form.tsx'
import { Opened, Split } from '#tools/console/parts/split.tsx'
import { ControlError } from '#tools/client/errors.ts'
import { api } from '#tools/console/address.ts'
import { readAll, useAnswer, useRecords } from '#tools/console/live.ts'
import { Badge, Button, Empty, Loading, Refusal, type Tone } from '#tools/console/parts/basics.tsx'
import { linkTo } from '#tools/console/route.ts'
import { count, nameOf, toBytes, toDay, toMinute } from '#tools/console/text.ts'
import type { Slot, SlotPage } from '#tools/client/types.ts'
import { type Column, Table } from '#tools/console/parts/table.tsx'
import type { RecordOf } from '#contract/records/collections.ts'
import type { StoredRecord } from '#contract/records/snapshot.ts'

const tabs = [
  ['list', 'List'],
  ['calendar', 'Calendar'],
] as const

export function Tickets({ id }: { id: string | undefined }) {
  const [tab, setTab] = useState<string>('list')
  return (
    <Split
      title="Tickets and bookings"
      wide
      actions={<Tabs label="What is shown" value={tab} onInput={setTab} options={tabs} />}
      opened={id === undefined ? null : <TicketEntry key={id} srid={id} />}
    >
      {tab === 'calendar' ? <Calendar openedId={id} /> : <TicketList openedId={id} />}
    </Split>
  )
}

const moves = [
  ['E0001', 'Confirm ticket', 'Confirmed', api.tickets.confirm],
  ['E0002', 'Complete ticket', 'Completed', api.tickets.complete],
] as const

/** The reasons why a button of the ticket is disabled, by the status of the ticket. */
const reasons: Readonly<Record<string, string>> = {
  E0001: 'Confirm the ticket before you complete it.',
  E0002: 'The ticket is confirmed.',
  E0003: 'The ticket is closed.',
}

function TicketEntry({ srid }: { srid: string }) {
  const found = useAnswer(srid, () => findTicket(srid))
  return (
    <Opened label="Service request" back={linkTo('tickets')} of={found} gone={`Request ${srid} does not exist.`}>
      {(ticket) => (
        <>
          <h2>{nameOf(ticket)}</h2>
          <Facts>
            {[
              ['Status', <StatusBadge ticket={ticket} />],
              ['', ticket.statusDesc],
              ['srid', srid],
              ['Ticket number', ticket.ticketNumber],
              ['Service', [ticket.serviceType, ticket.modelCode, ticket.ascCode].filter(Boolean).join(', ')],
              ['Appointment', ticket.appointment && describeAppointment(ticket.appointment)],
              [
                'bpNo',
                'bpNo' in ticket ? <a href={linkTo('data', `customers:${ticket.bpNo}`)}>{ticket.bpNo}</a> : undefined,
              ],
              ['Email', personOf(ticket).email],
              ['Phone', phonesOf(ticket).join(', ')],
              ['ZIP code', personOf(ticket).zipCode],
              ['Problem', ticket.problemDescription],
            ]}
          </Facts>
          <div class="buttons">
            {moves.map(([status, label, done, move]) => (
              <Button key={status} off={ticket.status !== status} done={`${done} ${srid}`} onClick={() => move(srid)}>
                {label}
              </Button>
            ))}
            <span class="hint">{reasons[ticket.status]}</span>
          </div>
          <h3>History</h3>
          <ol class="findings">
            {ticket.history.map(({ at, from, to, reason }) => (
              <li key={`${at} ${to} ${reason}`}>
                <time dateTime={at}>{toMinute(at)}</time> <strong>{reason.toLowerCase().replaceAll('_', ' ')}</strong>{' '}
                <small>{from === null || from === to ? to : `${from} to ${to}`}</small>
              </li>
            ))}
          </ol>
          <h3>Images</h3>
          {ticket.images.length === 0 ? <Empty title="The ticket has no images. Operation 26 uploads images." /> : null}
          <ul class="cards">
            {ticket.images.map((image) => (
              <Picture key={image.imageId} image={image} />
            ))}
          </ul>
        </>
      )}
    </Opened>
  )
}

function describeAppointment({ date, startTime, endTime, timeZone, status }: NonNullable<Ticket['appointment']>) {
  return `${date} ${startTime} to ${endTime}, ${timeZone}, ${status.toLowerCase()}`
}

/** An srid does not indicate which collection contains the record. */
async function findTicket(srid: string): Promise<Ticket> {
  try {
    return await api.records.get<Ticket>('tickets', srid)
  } catch (error) {
    if (!(error instanceof ControlError) || error.status !== 404) throw error
    return api.records.get<Ticket>('inStoreRequests', srid)
  }
}

function Picture({ image: { imageId, fileName, contentType, size } }: { image: Ticket['images'][number] }) {
  const { data, error } = useAnswer(imageId, async () => toDataUrl(await api.image(imageId), contentType), {
    once: true,
  })
  return (
    <li>
      <div class="frame">{data ? <img src={data} alt={fileName} /> : null}</div>
      <span>{fileName}</span>
      <small>
        {contentType}, {toBytes(size)}
      </small>
      <Refusal error={error} />
    </li>
  )
}

/** The image needs a data URL, because an `img` element cannot send the control key in its request. */
function toDataUrl(bytes: Uint8Array, contentType: string): string {
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte))
  return `data:${contentType};base64,${btoa(letters.join(''))}`
}

const DAYS = 7

function Calendar({ openedId }: { openedId: string | undefined }) {
  const centers = useRecords('serviceCenters')
  const [code, setCode] = useState('ASC001')
  /** Default: today in the center's time zone. */
  const [from, setFrom] = useState<string | undefined>()
  const known = centers.data?.items ?? []
  const center = known.find(({ ascCode }) => ascCode === code) ?? known[0]
  const about = center && `${center.ascCode} ${from}`
  const load = () => api.call('listSlots', { params: [center!.ascCode], query: { days: DAYS, from } })
  const week = useAnswer(about, load, { keep: true })
  if (centers.data && !center) return <Empty title="This world has no service centers." />
  const error = centers.error ?? week.error
  if (!center || !week.data) return error ? <Refusal error={error} /> : <Loading />
  const first = Date.parse(week.data.dates[0] ?? '')
  const go = (days: number) => setFrom(utcDate(first + days * 86_400_000))
  return (
    <>
      <div class="row">
        <Choice
          label="Service center"
          grow
          value={center.ascCode}
          onInput={setCode}
          options={known.map(({ ascCode, ascName }) => [ascCode, `${ascCode}, ${ascName}`])}
        />
        <div class="buttons" role="group" aria-label="Week">
          <Button onClick={() => go(-DAYS)}>Earlier</Button>
          <Button off={from === undefined} onClick={() => setFrom(undefined)}>
            This week
          </Button>
          <Button onClick={() => go(DAYS)}>Later</Button>
        </div>
      </div>
      <p class="hint">
        From {toDay(first)}, in {center.timeZone}. Each cell shows how many appointments are booked. A stronger color
        means that a larger share of the slots is booked.
      </p>
      <Refusal error={week.error} />
      <Days week={week.data} openedId={openedId} />
    </>
  )
}

function Days({ week: { dates, items }, openedId }: { week: SlotPage; openedId: string | undefined }) {
  const [isFolded, setFolded] = useState(true)
  const times = [...new Set(items.map(timeOf))].sort(byTime)
  const booked = new Set(items.filter(({ bookings }) => bookings.length > 0).map(timeOf))
  const rows = isFolded ? times.filter((time) => booked.has(time)) : times
  return (
    <>
      <Button class="quiet" aria-expanded={!isFolded} onClick={() => setFolded(!isFolded)}>
        {isFolded ? 'Show' : 'Hide'} {count(times.length - booked.size, 'time')} without bookings
      </Button>
      {rows.length === 0 ? <Empty title="No slots are booked this week." /> : null}
      <div hidden={rows.length === 0} class="calendar-box" tabIndex={0} role="region" aria-label="Calendar">
        <table class="calendar">
          <thead>
            <tr>
              <th scope="col">
                <span class="hidden">From</span>
              </th>
              {dates.map((date) => (
                <th key={date} scope="col">
                  {toDay(date).slice(0, -5)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((time) => (
              <tr key={time}>
                <th scope="row">{time}</th>
                {dates.map((date) => (
                  <Cell
                    key={date}
                    slot={items.find((slot) => slot.date === date && timeOf(slot) === time)}
                    openedId={openedId}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function Cell({ slot, openedId }: { slot: Slot | undefined; openedId: string | undefined }) {
  if (!slot) return <td class="closed" aria-label="closed" />
  const { bookings, capacity } = slot
  return (
    <td class="occupied" style={{ '--occupancy': `${bookings.length && 8 + (27 * bookings.length) / capacity}%` }}>
      <small>
        {bookings.length}/{capacity}
      </small>
      {bookings.map(({ srid, appointmentId }) => (
        <a key={appointmentId} href={linkTo('tickets', srid)} aria-current={srid === openedId ? 'true' : undefined}>
          {srid}
        </a>
      ))}
    </td>
  )
}

function timeOf({ kind, startTime }: Slot): string {
  return kind === 'IH' ? `At home, ${startTime}` : startTime
}

/** Sorts in-home windows before times of day. */
function byTime(a: string, b: string): number {
  return Number(/^\d/.test(a)) - Number(/^\d/.test(b)) || a.localeCompare(b)
}

type Ticket = RecordOf<'tickets'> | RecordOf<'inStoreRequests'>

/** Maximum number of tickets that the page reads of each collection, so that a large world does not block it. */
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

/** Reads the tickets of dealers and the in-store requests. */
async function readTickets() {
  const read = (collection: string) => readAll((page) => api.records.list<Ticket>(collection, page), MOST)
  const pages = await Promise.all(['tickets', 'inStoreRequests'].map(read))
  return {
    items: pages.flatMap(({ items }) => items),
    totalCount: pages.reduce((sum, { totalCount }) => sum + totalCount, 0),
  }
}

function TicketList({ openedId }: { openedId: string | undefined }) {
  const tickets = useAnswer('tickets', readTickets, { keep: true })
  return (
    <Table
      label="Service requests"
      noun="ticket"
      of={tickets}
      columns={columns}
      keyOf={({ srid }) => srid}
      hrefOf={({ srid }) => linkTo('tickets', srid)}
      opened={openedId}
      placeholder="customer, email, phone, ZIP code, bpNo, srid, ticket number, model"
    />
  )
}

/** A dealer's ticket contains its customer. An in-store request contains the data of its sender directly. */
const personOf = (ticket: Ticket) => ('customer' in ticket ? ticket.customer : ticket)

function searchedOf(ticket: Ticket): string {
  const { email, zipCode } = personOf(ticket)
  const bpNo = 'bpNo' in ticket ? ticket.bpNo : ''
  return [nameOf(ticket), email, zipCode, ...phonesOf(ticket), bpNo, ticket.ticketNumber].join(' ')
}

function phonesOf(ticket: Ticket): string[] {
  const phones = 'customer' in ticket ? [ticket.phoneNumber, ticket.customer.mobilePhone] : [ticket.mobilePhone]
  return phones.filter((phone) => phone !== undefined)
}

const states: Readonly<Record<string, readonly [Tone, string]>> = {
  E0001: ['calm', 'open'],
  E0002: ['good', 'in process'],
  E0003: ['plain', 'closed'],
}

export function statusOf({ status, statusReasonCode: reason }: StoredRecord): string {
  return reason ? String(reason).toLowerCase().replaceAll('_', ' ') : (states[String(status)]?.[1] ?? String(status))
}

function StatusBadge({ ticket }: { ticket: Ticket }) {
  const text = statusOf(ticket)
  return <Badge tone={text === 'cancelled' ? 'warn' : states[ticket.status]?.[0]}>{text}</Badge>
}
