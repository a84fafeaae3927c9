import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { useAct, useWorldNow } from '../hooks.ts'
import { useLive } from '../live.ts'
import { Facts, Field } from '../parts/field.tsx'
import { Badge, Empty, Refusal } from '../parts/state.tsx'
import { toBytes, toDistance } from '../text.ts'
import type { Stream } from '../types.ts'
import { TestStream } from './test-stream.tsx'
import { Button } from '../parts/button.tsx'

/** Ways to disturb a stream, and what its client meets. */
const chaos = [
  ['drop', 'Reset the connection now'],
  ['truncate', 'Cut the next frame in its middle, then reset'],
  ['duplicate', 'Send the next event twice with one id'],
  ['delay', 'Hold the next event back'],
  ['goodbye', 'Say goodbye, then end'],
  ['stall', 'Send nothing, not even heartbeats'],
  ['no-welcome', 'Leave out the welcome of the next connection'],
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
    <article class="stream" aria-label={`Stream ${name}`}>
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
          {chaos.map(([action, meaning]) => (
            <Button
              key={action}
              title={meaning}
              off={act.busy}
              onClick={() =>
                void act.run(() => call('POST', `streams/${subscriptionId}/chaos`, { action, ms: Number(ms) }))
              }
            >
              {action}
            </Button>
          ))}
        </div>
        <Field label="Delay or stall, ms" type="number" value={ms} onInput={setMs} />
      </div>
      <Refusal error={act.error} />
    </article>
  )
}
