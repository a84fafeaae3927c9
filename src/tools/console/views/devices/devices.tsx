import { useState } from 'preact/hooks'
import { useRecords, useAct, useWorldNow } from '../../hooks.ts'
import { Empty, Loading, Refusal, Badge } from '../../parts/state.tsx'
import { count, toBytes, toDistance } from '../../text.ts'
import type { Device, Location, Stream } from '../../types.ts'
import { DeviceCard } from './device-card.tsx'
import { EventTail } from './event-tail.tsx'
import { api } from '../../address.ts'
import { useLive } from '../../live.ts'
import { Button } from '../../parts/button.tsx'
import { Facts, Field } from '../../parts/field.tsx'
import { TestStream } from './test-stream.tsx'

export function Devices() {
  const locations = useRecords('locations')
  const devices = useRecords('devices')
  const known = devices.data?.items ?? []
  // All homes appear at once, since one that fills later would push the others down.
  const homes = devices.data ? (locations.data?.items ?? []) : []
  return (
    <section>
      <h1>Devices and streams</h1>
      <div class="columns">
        <div>
          <Refusal error={locations.error ?? devices.error} />
          {locations.data && devices.data ? null : <Loading />}
          {locations.data && homes.length === 0 && devices.data ? <Empty title="This world has no homes." /> : null}
          {homes.map((location) => (
            <Home
              key={location.locationId}
              location={location}
              devices={known.filter(({ locationId }) => locationId === location.locationId)}
            />
          ))}
          {devices.data && devices.data.totalCount > known.length ? (
            <p class="hint">The first {known.length} devices show here; all are under Data.</p>
          ) : null}
        </div>
        <div class="aside">
          <Streams />
          <EventTail />
        </div>
      </div>
    </section>
  )
}

function Home({ location: { name, rooms, locationId }, devices }: { location: Location; devices: Device[] }) {
  const roomOf = ({ roomId }: Device) => rooms.find((room) => room.roomId === roomId)?.name
  return (
    <section class="home" aria-label={name}>
      <h2>
        {name} <small>{count(devices.length, 'device')}</small>
      </h2>
      <p class="hint mono">{locationId}</p>
      {devices.length === 0 ? <Empty title="No devices in this home." /> : null}
      <div class="cards">
        {devices.map((device) => (
          <DeviceCard key={device.deviceId} device={device} room={roomOf(device)} />
        ))}
      </div>
    </section>
  )
}

const chaos = [
  ['drop', 'Drop it', 'Reset the connection now'],
  ['truncate', 'Cut a frame', 'Cut the next frame in its middle, then reset'],
  ['duplicate', 'Send twice', 'Send the next event twice with one id'],
  ['delay', 'Hold back', 'Hold the next event back'],
  ['goodbye', 'Say goodbye', 'Say goodbye, then end'],
  ['stall', 'Fall silent', 'Send nothing, not even heartbeats'],
  ['no-welcome', 'Skip the welcome', 'Leave out the welcome of the next connection'],
] as const

function Streams() {
  const streams = useLive((live) => live.streams)
  return (
    <section class="panel" aria-label="Live streams">
      <h2>
        Streams <small>{streams.length} live</small>
      </h2>
      {streams.length === 0 ? (
        <Empty title="No stream is open.">
          <p>A client opens the registrationUrl of its subscription. This page can be such a client:</p>
        </Empty>
      ) : null}
      {streams.map((stream) => (
        <StreamCard key={stream.subscriptionId} stream={stream} />
      ))}
      <TestStream />
    </section>
  )
}

function StreamCard({ stream }: { stream: Stream }) {
  const { subscriptionId, name, user, generation, openedAt, eventsSent, bytesWaiting } = stream
  const now = useWorldNow(5000) ?? 0
  const act = useAct()
  const [ms, setMs] = useState('5000')
  return (
    <article aria-label={`Stream ${name}`}>
      <div class="title-row">
        <h3>{name}</h3>
        <Badge tone={bytesWaiting > 0 ? 'warn' : 'good'}>
          {bytesWaiting > 0 ? `${toBytes(bytesWaiting)} behind` : 'up to date'}
        </Badge>
      </div>
      <Facts>
        {[
          ['User', user],
          ['Events sent', String(eventsSent)],
          ['Opened', `${toDistance(Date.parse(openedAt), now)}, ${generation === 1 ? 'once' : `${generation} times`}`],
          ['Subscription', <span class="mono">{subscriptionId}</span>],
        ]}
      </Facts>
      <div class="row">
        <div class="buttons" role="group" aria-label={`Disturb ${name}`}>
          {chaos.map(([action, label, meaning]) => (
            <Button
              key={action}
              title={meaning}
              act={act}
              onClick={() => api.streams.disturb(subscriptionId, { action, ms: Number(ms) })}
            >
              {label}
            </Button>
          ))}
        </div>
        <Field label="For, ms" type="number" value={ms} onInput={setMs} />
      </div>
      <Refusal error={act.error} />
    </article>
  )
}
