import { useState } from 'preact/hooks'
import { Tabs } from '../../parts/field.tsx'
import { Split } from '../../parts/split.tsx'
import { Calendar } from './calendar.tsx'
import { TicketEntry } from './ticket-entry.tsx'
import { TicketList } from './ticket-list.tsx'

const tabs = [
  ['calendar', 'Calendar'],
  ['tickets', 'Dealer tickets'],
  ['inStoreRequests', 'In store'],
] as const

export function Tickets({ id }: { id: string | undefined }) {
  const [tab, setTab] = useState('calendar')
  return (
    <Split
      title="Tickets and bookings"
      wide
      actions={<Tabs label="What is shown" value={tab} onInput={setTab} options={tabs} />}
      opened={id === undefined ? null : <TicketEntry key={id} srid={id} />}
    >
      {tab === 'calendar' ? <Calendar openedId={id} /> : <TicketList key={tab} collection={tab} openedId={id} />}
    </Split>
  )
}
