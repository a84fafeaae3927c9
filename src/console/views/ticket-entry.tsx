import { call, get } from '../api.ts'
import { ApiError } from '../api.ts'
import { useAct, useAnswer } from '../hooks.ts'
import { Facts } from '../parts/field.tsx'
import { Detail } from '../parts/split.tsx'
import { Loading, Refusal } from '../parts/state.tsx'
import { linkTo } from '../route.ts'
import { toMinute } from '../text.ts'
import { nameOf, StatusBadge, type Ticket } from './ticket-list.tsx'
import { Images } from './images.tsx'
import { Button } from '../parts/button.tsx'

/** A service request of either kind: how it came to stand as it stands, and what the service centre can do. */
export function TicketEntry({ srid }: { srid: string }) {
  const { data: ticket, error } = useAnswer(srid, () => findTicket(srid))
  const act = useAct()
  const move = (step: string) => void act.run(() => call('POST', `tickets/${encodeURIComponent(srid)}/${step}`))
  return (
    <Detail label="Service request" back={linkTo('tickets')}>
      <h2>{ticket ? nameOf(ticket) : srid}</h2>
      <Refusal error={error} />
      {!ticket && !error ? <Loading /> : null}
      {ticket ? (
        <>
          <Details ticket={ticket} />
          <div class="buttons">
            <Button off={act.busy || ticket.status !== 'E0001'} onClick={() => move('confirm')}>
              Confirm
            </Button>
            <Button off={act.busy || ticket.status !== 'E0002'} onClick={() => move('complete')}>
              Complete
            </Button>
          </div>
          <Refusal error={act.error} />
          <h3>History</h3>
          <ol class="history">
            {ticket.history.map(({ at, from, to, reason }) => (
              <li key={`${at} ${to} ${reason}`}>
                <time dateTime={at}>{toMinute(at)}</time> <strong>{toWords(reason)}</strong>{' '}
                <small>{from === null || from === to ? to : `${from} to ${to}`}</small>
              </li>
            ))}
          </ol>
          <h3>Images</h3>
          <Images images={ticket.images} />
        </>
      ) : null}
    </Detail>
  )
}

function Details({ ticket }: { ticket: Ticket }) {
  const { appointment, statusDesc, srid, ticketNumber, serviceType, modelCode, ascCode } = ticket
  return (
    <Facts>
      {[
        ['Status', <StatusBadge ticket={ticket} />],
        ['', statusDesc],
        ['srid', srid],
        ['Ticket number', ticketNumber],
        ['Service', [serviceType, modelCode, ascCode].filter(Boolean).join(', ')],
        [
          'Appointment',
          appointment &&
            `${appointment.date} ${appointment.startTime} to ${appointment.endTime}, ${appointment.timeZone}, ` +
              appointment.status.toLowerCase(),
        ],
        ['E-mail', ticket.customer?.email ?? ticket.email],
        ['Problem', ticket.problemDescription],
      ]}
    </Facts>
  )
}

function toWords(reason: string): string {
  return reason.toLowerCase().replaceAll('_', ' ')
}

/** An srid does not tell which kind it is of. */
async function findTicket(srid: string): Promise<Ticket> {
  const key = encodeURIComponent(srid)
  try {
    return await get<Ticket>(`records/tickets/${key}`)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    return get<Ticket>(`records/inStoreRequests/${key}`)
  }
}
