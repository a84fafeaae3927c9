import { useState } from 'preact/hooks'
import { toControlError } from '#tools/client/errors.ts'
import { api } from '#tools/console/address.ts'
import { change, readLive, useLive, useWorldNow } from '#tools/console/live.ts'
import { Badge, Button, Empty } from '#tools/console/parts/basics.tsx'
import { Facts, Field } from '#tools/console/parts/form.tsx'
import { toBytes, toDistance } from '#tools/console/text.ts'
import type { StreamDescription as Stream } from '#tools/client/types.ts'
import { issueToken } from '../worlds/tokens.tsx'
import { describe, EventTail } from './event-tail.tsx'

const chaos = [
  ['drop', 'Drop connection', 'Resets the connection now'],
  ['truncate', 'Cut next frame', 'Cuts off the next frame in the middle and resets the connection'],
  ['duplicate', 'Send next event twice', 'Sends the next event twice with the same ID'],
  ['delay', 'Delay next event', 'Delays the next event'],
  ['goodbye', 'Send goodbye', 'Sends the goodbye event and ends the stream'],
  ['stall', 'Stall', 'Sends nothing, not even heartbeats'],
  ['no-welcome', 'Skip next welcome', 'Omits the welcome event of the next connection'],
] as const

export function StreamsView() {
  const streams = useLive((live) => live.streams)
  return (
    <section>
      <h1>
        Streams <small>{streams.length} open</small>
      </h1>
      <div class="columns">
        <div>
          {streams.length === 0 ? (
            <Empty title="No stream is open.">
              <p>To open a stream, a client requests the registrationUrl of its subscription.</p>
            </Empty>
          ) : null}
          {streams.map((stream) => (
            <StreamCard key={stream.subscriptionId} stream={stream} />
          ))}
        </div>
        <Received />
      </div>
    </section>
  )
}

export function Received() {
  return (
    <div class="aside first">
      <TestStream />
      <EventTail />
    </div>
  )
}

function StreamCard({ stream }: { stream: Stream }) {
  const { subscriptionId, name, user, generation, openedAt, eventsSent, bytesWaiting } = stream
  const now = useWorldNow(5000) ?? 0
  const [ms, setMs] = useState('5000')
  return (
    <article class="panel" aria-label={`Stream ${name}`}>
      <div class="title-row">
        <h2>{name}</h2>
        <Badge tone={bytesWaiting > 0 ? 'warn' : 'good'}>
          {bytesWaiting > 0 ? `${toBytes(bytesWaiting)} not sent yet` : 'up to date'}
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
              done={`${meaning}: stream ${name}`}
              onClick={() => api.streams.injectFault(subscriptionId, { action, ms: Number(ms) })}
            >
              {label}
            </Button>
          ))}
        </div>
        <Field label="For, ms" type="number" value={ms} onInput={setMs} />
      </div>
    </article>
  )
}

const SCOPES = ['r:locations:*', 'r:devices:*', 'r:installedapps:*', 'r:smartapps:*']
const MAX_LINES = 8
/** The browser reconnects after a lost connection, but not after an error response. */
const CLOSED = 'closed: the subscription or its token is no longer valid'

/** The page opens the stream with a real client, the browser's EventSource. Other views do not close it. */
function TestStream() {
  const lines = useLive(({ testStream }) => testStream?.lines)
  const close = async () => {
    // Ending the stream fails if the world has been deleted.
    await readLive()
      .testStream?.end()
      .catch(() => {})
    change({ testStream: undefined })
  }
  const start = async () => {
    // After a reset, the new subscription may have the ID of the previous one, so the previous one is deleted first.
    await close()
    change({ testStream: { lines: [], end: await open() } })
  }
  return (
    <section class="panel" aria-label="Test stream">
      <div class="title-row">
        <h2>Test stream</h2>
        {lines === undefined || lines[0] === CLOSED ? (
          <Button class="primary" done="Opened the test stream" onClick={start}>
            Open test stream
          </Button>
        ) : (
          <Button done="Closed the test stream" onClick={close}>
            Close test stream
          </Button>
        )}
      </div>
      {lines === undefined ? (
        <p class="hint">This page subscribes to all homes and shows what a client receives.</p>
      ) : (
        <ol class="code" aria-label="Received by the test stream">
          {lines.map((line, index) => (
            <li key={lines.length - index}>{line}</li>
          ))}
        </ol>
      )}
    </section>
  )
}

function say(line: string): void {
  const { testStream } = readLive()
  if (testStream) change({ testStream: { ...testStream, lines: [line, ...testStream.lines].slice(0, MAX_LINES) } })
}

/** Returns a function that ends the stream. */
async function open(): Promise<() => Promise<void>> {
  const accessToken = await issueToken('console', SCOPES, 3600)
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
  source.addEventListener('error', () => say(source.readyState === EventSource.CLOSED ? CLOSED : 'reconnecting'))
  return async () => {
    source.close()
    const headers = { authorization: `Bearer ${accessToken}` }
    await api.fetch(`/subscriptions/${subscriptionId}`, { method: 'DELETE', headers })
    await api.tokens.revoke(accessToken)
  }
}

const TYPES = ['DEVICE_EVENT', 'DEVICE_HEALTH_EVENT', 'DEVICE_LIFECYCLE_EVENT']

/** PUBLIC_URL may have another origin, which the content security policy of the page does not allow. */
function toOwnOrigin(url: string): string {
  const { pathname, search } = new URL(url)
  return location.origin + pathname + search
}
