import { useState } from 'preact/hooks'
import { type Live, useLive } from '../live.ts'
import { Empty } from '../parts/state.tsx'
import { toLine, toTime } from '../text.ts'
import type { PlatformEvent } from '../types.ts'

const SHOWN = 40

/** What devices report, as they do. */
export function EventTail({ names }: { names: ReadonlyMap<string, string> }) {
  const events = useLive((live) => live.events)
  const [after, setAfter] = useState(0)
  const shown = events.filter(({ number }) => number > after).slice(0, SHOWN)
  return (
    <section class="panel" aria-label="Device events">
      <div class="title-row">
        <h2>Events, live</h2>
        <button type="button" onClick={() => setAfter(events[0]?.number ?? 0)}>
          Clear
        </button>
      </div>
      {shown.length === 0 ? (
        <Empty title="Waiting for an event.">
          <p>Click a value of a device, such as a switch. Whoever holds a stream gets the event too.</p>
        </Empty>
      ) : (
        <EventList events={shown} names={names} />
      )}
    </section>
  )
}

interface EventListProps {
  events: Live['events']
  /** Of devices, by their ids. */
  names: ReadonlyMap<string, string>
}

export function EventList({ events, names }: EventListProps) {
  return (
    <ol class="tail">
      {events.map((event) => {
        const { deviceId, text } = describe(event)
        return (
          <li key={event.number}>
            <time>{toTime(event.eventTime)}</time>
            <strong>{names.get(deviceId) ?? deviceId}</strong>
            <span>{text}</span>
          </li>
        )
      })}
    </ol>
  )
}

export function describe(event: PlatformEvent): { deviceId: string; text: string } {
  if (event.eventType === 'DEVICE_HEALTH_EVENT') {
    const { deviceId, status } = event.deviceHealthEvent
    return { deviceId, text: `health: ${status}` }
  }
  if (event.eventType === 'DEVICE_LIFECYCLE_EVENT') {
    const { deviceId, lifecycle } = event.deviceLifecycleEvent
    return { deviceId, text: `lifecycle: ${lifecycle}` }
  }
  const { deviceId, attribute, value, unit = '' } = event.deviceEvent
  return { deviceId, text: `${attribute}: ${toLine(value)} ${unit}` }
}
