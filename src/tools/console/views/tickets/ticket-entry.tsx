import { ControlError } from '../../../control-client/errors.ts'
import { api } from '../../address.ts'
import { useAct, useAnswer } from '../../hooks.ts'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/field.tsx'
import { Opened } from '../../parts/split.tsx'
import { Refusal } from '../../parts/state.tsx'
import { linkTo } from '../../route.ts'
import { toMinute } from '../../text.ts'
import { Images } from './images.tsx'
import { nameOf, StatusBadge, type Ticket } from './ticket-list.tsx'

export function TicketEntry({ srid }: { srid: string }) {
  const found = useAnswer(srid, () => findTicket(srid))
  const act = useAct()
  return (
    <Opened label="Service request" back={linkTo('tickets')} of={found} gone={`There is no request ${srid} any more.`}>
      {(ticket) => (
        <>
          <h2>{nameOf(ticket)}</h2>
          <Details ticket={ticket} />
          <div class="buttons">
            <Button act={act} off={ticket.status !== 'E0001'} onClick={() => api.tickets.confirm(srid)}>
              Confirm
            </Button>
            <Button act={act} off={ticket.status !== 'E0002'} onClick={() => api.tickets.complete(srid)}>
              Complete
            </Button>
          </div>
          <Refusal error={act.error} />
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
          <Images images={ticket.images} />
        </>
      )}
    </Opened>
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

/** An srid does not tell the kind of its record. */
async function findTicket(srid: string): Promise<Ticket> {
  try {
    return await api.records.get<Ticket>('tickets', srid)
  } catch (error) {
    if (!(error instanceof ControlError) || error.status !== 404) throw error
    return api.records.get<Ticket>('inStoreRequests', srid)
  }
}
