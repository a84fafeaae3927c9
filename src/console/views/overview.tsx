import { world } from '../address.ts'
import { send } from '../api.ts'
import { useAnswer, useLoad, useWorldNow } from '../hooks.ts'
import { useLive } from '../live.ts'
import { Badge, Refusal } from '../parts/state.tsx'
import { linkTo } from '../route.ts'
import { toDay } from '../text.ts'
import type { Page, Status } from '../types.ts'
import type { Device } from './device-card.tsx'
import { RequestList } from './request-list.tsx'
import { EventList } from './event-tail.tsx'
import { Tour } from './tour.tsx'

const MINUTE = 60_000
const SHOWN = 8

/** How the world stands, and what happened in it just now. */
export function Overview() {
  const status = useLoad<Status>('status')
  const health = useAnswer('health', async () => (await send('/health/ready')).ok)
  const { entries, events, streams, outboxCount } = useLive((live) => live)
  const devices = useLoad<Page<Device>>('records/devices?limit=100')
  const names = new Map(devices.data?.items.map(({ deviceId, name }) => [deviceId, name]))
  const now = useWorldNow(1000) ?? 0
  const recent = entries.filter(({ at }) => Math.abs(now - Date.parse(at)) <= MINUTE)
  const requests = recent.filter(({ kind }) => kind === 'request')
  const refused = requests.filter(({ status: code = 0 }) => code >= 400)
  const { counts } = status.data ?? { counts: {} as Record<string, number> }
  const openTickets = (counts['tickets'] ?? 0) + (counts['inStoreRequests'] ?? 0)
  return (
    <section>
      <div class="title-row">
        <h1>Overview</h1>
        <span>
          {health.data === undefined ? null : (
            <Badge tone={health.data ? 'good' : 'bad'}>{health.data ? 'ready' : 'not ready'}</Badge>
          )}{' '}
          <span class="hint">{status.data ? `vendor-cloud ${status.data.version}` : ''}</span>
        </span>
      </div>
      <Refusal error={status.error ?? health.error} />
      <div class="figures">
        <Figure title="World" value={world} note={now ? toDay(now) : ''} to="worlds" />
        <Figure
          title="In the last minute"
          value={requests.length}
          note={`requests, ${refused.length} refused`}
          to="requests"
        />
        <Figure title="Live streams" value={streams.length} note={`${counts['devices'] ?? 0} devices`} to="devices" />
        <Figure title="Outbox" value={outboxCount ?? 0} note="messages sent" to="outbox" />
        <Figure
          title="Purchases"
          value={counts['purchases'] ?? 0}
          note={`${counts['sellers'] ?? 0} sellers`}
          to="billing"
        />
        <Figure title="Service requests" value={openTickets} note={`${counts['bookings'] ?? 0} booked`} to="tickets" />
      </div>
      <div class="columns even">
        <section class="panel newest" aria-label="Newest requests">
          <div class="title-row">
            <h2>Newest requests</h2>
            <a href={linkTo('requests')}>All</a>
          </div>
          {entries.length === 0 ? <p class="hint">None yet. The first steps show how to make one.</p> : null}
          <RequestList entries={entries.slice(0, SHOWN)} openedId={undefined} />
        </section>
        <section class="panel newest" aria-label="Newest device events">
          <div class="title-row">
            <h2>Newest device events</h2>
            <a href={linkTo('devices')}>Devices</a>
          </div>
          {events.length === 0 ? <p class="hint">None since this page was opened.</p> : null}
          <EventList events={events.slice(0, SHOWN)} names={names} />
        </section>
      </div>
      <Tour />
    </section>
  )
}

interface FigureProps {
  title: string
  value: string | number
  note: string
  to: string
}

function Figure({ title, value, note, to }: FigureProps) {
  return (
    <a class="figure" href={linkTo(to)}>
      <span>{title}</span>
      <strong>{value}</strong>
      <small>{note}</small>
    </a>
  )
}
