import { useEffect, useRef, useState } from 'preact/hooks'
import { useAct, useRecords, useWorldNow } from '#tools/console/hooks.ts'
import { Badge, Empty, Loading, Refusal } from '#tools/console/parts/state.tsx'
import { count, toBytes, toDistance } from '#tools/console/text.ts'
import type { Device, Location, Stream } from '#tools/console/types.ts'
import { DeviceCard } from './device-card.tsx'
import { describe, EventTail } from './event-tail.tsx'
import { api } from '#tools/console/address.ts'
import { useLive } from '#tools/console/live.ts'
import { Button } from '#tools/console/parts/button.tsx'
import { Facts, Field } from '#tools/console/parts/field.tsx'
import { toControlError } from '#tools/client/errors.ts'

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

const SCOPES = ['r:locations:*', 'r:devices:*', 'r:installedapps:*', 'r:smartapps:*']
const SHOWN = 8

interface Opened {
  source: EventSource
  path: string
  accessToken: string
}

/** The browser's own EventSource is the client here, so the page tests a real one. */
function TestStream() {
  const act = useAct()
  const opened = useRef<Opened | undefined>(undefined)
  const [lines, setLines] = useState<readonly string[] | undefined>()
  const say = (line: string) => setLines((known = []) => [line, ...known].slice(0, SHOWN))
  const close = () => {
    // Its world may be gone, with all that was in it.
    if (opened.current) void end(opened.current).catch(() => {})
    opened.current = undefined
    setLines(undefined)
  }
  const start = async () => {
    opened.current = await open(say)
    if (hasLeft.current) close()
    else setLines((known = []) => known)
  }
  // Leaving the view closes the stream, also one that is just opening.
  const hasLeft = useRef(false)
  useEffect(
    () => () => {
      hasLeft.current = true
      close()
    },
    [],
  )
  return (
    <div class="column">
      {lines === undefined ? (
        <Button class="primary" act={act} onClick={start}>
          Open a stream here
        </Button>
      ) : (
        <>
          <div class="title-row">
            <h3>This page's stream</h3>
            <Button onClick={close}>Hang up</Button>
          </div>
          <ol class="code" aria-label="What this page's stream brings">
            {lines.map((line, index) => (
              <li key={lines.length - index}>{line}</li>
            ))}
          </ol>
        </>
      )}
      <Refusal error={act.error} />
    </div>
  )
}

async function open(say: (line: string) => void): Promise<Opened> {
  const { items } = await api.records.list<{ locationId: string }>('locations', { limit: 100 })
  const { accessToken } = await api.tokens.issue({
    user: 'console',
    scopes: SCOPES,
    locations: items.map(({ locationId }) => locationId),
    expiresIn: 3600,
  })
  const body = { name: 'console', subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'], eventType: TYPES }] }
  const reply = await api.fetch('/subscriptions', {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw toControlError(location.origin, reply.status, await reply.text())
  const { subscriptionId, registrationUrl } = (await reply.json()) as Record<string, string>
  const source = new EventSource(toOwnOrigin(registrationUrl ?? ''))
  for (const type of ['CONTROL_EVENT', ...TYPES]) {
    source.addEventListener(type, ({ data, lastEventId }: MessageEvent<string>) =>
      say(`${lastEventId}  ${type}  ${type === 'CONTROL_EVENT' ? data : describe(JSON.parse(data)).text}`),
    )
  }
  source.addEventListener('error', () => say(source.readyState === EventSource.CLOSED ? 'closed' : 'reconnecting'))
  return { source, path: `/subscriptions/${subscriptionId}`, accessToken }
}

const TYPES = ['DEVICE_EVENT', 'DEVICE_HEALTH_EVENT', 'DEVICE_LIFECYCLE_EVENT']

/** PUBLIC_URL may name another origin, which the page's policy forbids it to ask. */
function toOwnOrigin(url: string): string {
  const { pathname, search } = new URL(url)
  return location.origin + pathname + search
}

async function end({ source, path, accessToken }: Opened): Promise<void> {
  source.close()
  await api.fetch(path, { method: 'DELETE', headers: { authorization: `Bearer ${accessToken}` } })
  await api.tokens.revoke(accessToken)
}
