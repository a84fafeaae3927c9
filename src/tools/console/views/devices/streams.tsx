import { useState } from 'preact/hooks'
import { api } from '../../address.ts'
import { useAct, useWorldNow } from '../../hooks.ts'
import { useLive } from '../../live.ts'
import { Button } from '../../parts/button.tsx'
import { Facts, Field } from '../../parts/field.tsx'
import { Badge, Empty, Refusal } from '../../parts/state.tsx'
import { toBytes, toDistance } from '../../text.ts'
import type { Stream } from '../../types.ts'
import { TestStream } from './test-stream.tsx'

const chaos = [
  ['drop', 'Drop it', 'Reset the connection now'],
  ['truncate', 'Cut a frame', 'Cut the next frame in its middle, then reset'],
  ['duplicate', 'Send twice', 'Send the next event twice with one id'],
  ['delay', 'Hold back', 'Hold the next event back'],
  ['goodbye', 'Say goodbye', 'Say goodbye, then end'],
  ['stall', 'Fall silent', 'Send nothing, not even heartbeats'],
  ['no-welcome', 'Skip the welcome', 'Leave out the welcome of the next connection'],
] as const

export function Streams() {
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
