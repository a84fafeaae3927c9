import { useState } from 'preact/hooks'
import { type Live, useLive, useRecords } from '#tools/console/live.ts'
import { Button, Day, Empty } from '#tools/console/parts/basics.tsx'
import { linkTo } from '#tools/console/route.ts'
import { newDay, toLine, toTime } from '#tools/console/text.ts'
import type { EventEnvelope as PlatformEvent } from '#contract/records/events/platform-event.ts'

const MAX_EVENTS = 40

export function EventTail() {
  const events = useLive((live) => live.events)
  const [after, setAfter] = useState(0)
  const shown = events.filter(({ number }) => number > after).slice(0, MAX_EVENTS)
  return (
    <section class="panel" aria-label="Device events">
      <div class="title-row">
        <h2>Device events</h2>
        <Button aria-pressed={after > 0} onClick={() => setAfter(after > 0 ? 0 : (events[0]?.number ?? 0))}>
          Clear
        </Button>
      </div>
      {shown.length === 0 ? (
        <Empty title="Waiting for an event.">
          <p>
            <a href={linkTo('devices')}>Click a value of a device</a>, such as a switch. Open streams receive the event,
            too.
          </p>
        </Empty>
      ) : (
        <EventList events={shown} />
      )}
    </section>
  )
}

export function EventList({ events }: { events: Live['events'] }) {
  const names = useDeviceNames()
  return (
    <ol class="tail">
      {events.map((event, index) => {
        const { deviceId, text } = describe(event)
        return (
          <li key={event.number}>
            <Day title={newDay(event.eventTime, events[index - 1]?.eventTime)} />
            <time>{toTime(event.eventTime)}</time>
            <strong>{names.get(deviceId) ?? deviceId}</strong>
            <span>{text}</span>
          </li>
        )
      })}
    </ol>
  )
}

/** Returns the names of the first hundred devices. Other devices are shown by their IDs. */
export function useDeviceNames(): ReadonlyMap<string, string> {
  const { data } = useRecords('devices')
  return new Map(data?.items.map(({ deviceId, name }) => [deviceId, name]))
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
