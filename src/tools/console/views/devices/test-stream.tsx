import { useEffect, useRef, useState } from 'preact/hooks'
import { toControlError } from '../../../control-client/errors.ts'
import { api } from '../../address.ts'
import { useAct } from '../../hooks.ts'
import { Button } from '../../parts/button.tsx'
import { Refusal } from '../../parts/state.tsx'
import { describe } from './event-tail.tsx'

const SCOPES = ['r:locations:*', 'r:devices:*', 'r:installedapps:*', 'r:smartapps:*']
const SHOWN = 8

interface Opened {
  source: EventSource
  path: string
  accessToken: string
}

/** The browser's own EventSource is the client here, so the page tests a real one. */
export function TestStream() {
  const act = useAct()
  const opened = useRef<Opened | undefined>(undefined)
  const [lines, setLines] = useState<readonly string[] | undefined>()
  const say = (line: string) => setLines((known = []) => [line, ...known].slice(0, SHOWN))
  const giveUp = (error: unknown) => {
    setLines(undefined)
    throw error
  }
  const close = () => {
    // Its world may be gone, with all that was in it.
    if (opened.current) void end(opened.current).catch(() => {})
    opened.current = undefined
    setLines(undefined)
  }
  // Leaving the view closes the stream, also one that is just opening.
  const hasLeft = useRef(false)
  const leave = () => {
    hasLeft.current = true
    close()
  }
  useEffect(() => leave, [])
  return (
    <div class="column">
      {lines === undefined ? (
        <Button
          class="primary"
          off={act.busy}
          onClick={() =>
            void act.run(async () => {
              setLines([])
              opened.current = await open(say).catch(giveUp)
              if (hasLeft.current) close()
            })
          }
        >
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
