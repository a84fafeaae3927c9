import { api, consoleOf, world } from './address.ts'
import { ClockBar } from './clock-bar.tsx'
import { useAnswer } from './hooks.ts'
import { type Connection, useLive } from './live.ts'
import { Brand } from './parts/brand.tsx'
import type { Tone } from './parts/state.tsx'
import { linkTo } from './route.ts'
import { count } from './text.ts'
import { readProfile } from './views/choices/choices.tsx'

const connections: Readonly<Record<Connection, readonly [Tone, string]>> = {
  connecting: ['warn', 'Connecting'],
  live: ['good', 'Live'],
  polling: ['warn', 'Reconnecting'],
  lost: ['bad', 'Not reachable'],
  refused: ['bad', 'No access'],
  gone: ['bad', 'Gone'],
}

/** The world, its time and the connection are always in sight. */
export function Header() {
  const [tone, text] = connections[useLive((live) => live.connection)]
  return (
    <header>
      <a class="brand" href={linkTo('overview')}>
        <Brand />
      </a>
      <WorldSwitch />
      <span class={`badge ${tone}`} role="status">
        {text}
      </span>
      <div class="changes">
        <Profile />
        <Active />
      </div>
      <ClockBar />
    </header>
  )
}

function WorldSwitch() {
  const { data } = useAnswer('worlds', api.worlds)
  const names = data?.items.map(({ name }) => name) ?? []
  return (
    <div class="world">
      <select
        aria-label="World"
        value={world}
        onChange={(event) => location.assign(`${consoleOf(event.currentTarget.value)}${location.hash}`)}
      >
        {[...new Set([world, ...names])].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}

function Profile() {
  const { data } = useAnswer('profile', readProfile, { keep: true })
  if (!data) return null
  const { profile, choices = {} } = data
  const parts = [profile, count(Object.keys(choices).length, 'choice')]
  return (
    <a class="badge warn bent" href={linkTo('choices')} title={Object.keys(choices).join(', ')}>
      Profile: {parts.join(', ')}
    </a>
  )
}

/** Everything else that changes responses. */
function Active() {
  const { data } = useAnswer('active', api.status, { keep: true })
  const clock = useLive((live) => live.clock)
  const moved = Math.abs(clock?.offsetMs ?? 0) >= 1000
  const clockState = clock?.frozen ? 'clock paused' : moved ? 'clock moved' : ''
  const changes = [
    data?.faults ? count(data.faults, 'fault') : '',
    data?.varies ? 'responses vary' : '',
    data?.rateLimited ? 'rate limit' : '',
  ].filter(Boolean)
  const text = [clockState, ...changes].filter(Boolean).join(', ')
  if (text === '') return null
  return (
    <a class="badge warn bent" href={linkTo(changes.length > 0 ? 'faults' : 'clock')} title={text}>
      Active: {text}
    </a>
  )
}
