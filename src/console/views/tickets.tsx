import { useState } from 'preact/hooks'
import { Tabs } from '../parts/field.tsx'
import { Calendar } from './calendar.tsx'
import { TicketEntry } from './ticket-entry.tsx'
import { TicketList } from './ticket-list.tsx'

const tabs = [
  ['calendar', 'Calendar'],
  ['tickets', 'Dealer tickets'],
  ['inStoreRequests', 'In store'],
] as const

/** Appointments of a service centre, and the requests behind them. */
export function Tickets({ id }: { id: string | undefined }) {
  const [tab, setTab] = useState('calendar')
  return (
    <section class={`split wide ${id === undefined ? '' : 'opened'}`}>
      <div class="list-side">
        <div class="title-row">
          <h1>Tickets and bookings</h1>
          <Tabs label="What is shown" value={tab} onChoose={setTab} options={tabs} />
        </div>
        {tab === 'calendar' ? <Calendar openedId={id} /> : <TicketList key={tab} collection={tab} openedId={id} />}
      </div>
      {id === undefined ? null : <TicketEntry key={id} srid={id} />}
    </section>
  )
}
