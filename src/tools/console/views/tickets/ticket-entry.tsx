import { ControlError } from '../../../control-client/errors.ts'
import { api } from '../../address.ts'
import { useAct, useAnswer } from '../../hooks.ts'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/field.tsx'
import { Opened } from '../../parts/split.tsx'
import { Refusal, Empty } from '../../parts/state.tsx'
import { linkTo } from '../../route.ts'
import { toMinute, toBytes } from '../../text.ts'
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

function Images({ images }: Pick<Ticket, 'images'>) {
  if (images.length === 0) return <Empty title="None. Operation 26 uploads them." />
  return (
    <ul class="cards">
      {images.map((image) => (
        <Picture key={image.imageId} image={image} />
      ))}
    </ul>
  )
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

/** The request needs the key, which an `img` address could not carry. */
function toDataUrl(bytes: Uint8Array, contentType: string): string {
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte))
  return `data:${contentType};base64,${btoa(letters.join(''))}`
}
