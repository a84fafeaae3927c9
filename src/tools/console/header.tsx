import { api, consoleOf, world } from './address.ts'
import { ClockBar } from './clock-bar.tsx'
import { type Connection, useAnswer, useLive } from './live.ts'
import { Brand, type Tone } from './parts/basics.tsx'
import { Select } from './parts/form.tsx'
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
      <Active />
      <ClockBar />
    </header>
  )
}

function WorldSwitch() {
  const { data } = useAnswer('worlds', api.worlds)
  const names = data?.items.map(({ name }) => name) ?? []
  return (
    <Select
      aria-label="World"
      value={world}
      onInput={(name) => location.assign(`${consoleOf(name)}${location.hash}`)}
      options={[...new Set([world, ...names])].map((name) => [name, name])}
    />
  )
}

/** Shows everything that currently alters responses, such as faults, and a running recording. */
function Active() {
  const { data: profile } = useAnswer('profile', readProfile, { keep: true })
  const { data } = useAnswer('active', api.status, { keep: true })
  const clock = useLive((live) => live.clock)
  const moved = Math.abs(clock?.offsetMs ?? 0) >= 1000
  const changes = [
    data?.faults ? count(data.faults, 'fault') : '',
    data?.varies ? 'responses vary' : '',
    data?.rateLimited ? 'rate limit' : '',
  ].filter(Boolean)
  const text = [clock?.frozen ? 'clock paused' : moved ? 'clock moved' : '', ...changes].filter(Boolean).join(', ')
  const choices = Object.keys(profile?.choices ?? {})
  return (
    <div class="active">
      {profile ? (
        <a class="badge warn changed" href={linkTo('choices')} title={choices.join(', ')}>
          Profile: {profile.profile}, {count(choices.length, 'choice')}
        </a>
      ) : null}
      {text ? (
        <a class="badge warn changed" href={linkTo(changes.length > 0 ? 'faults' : 'clock')} title={text}>
          {text}
        </a>
      ) : null}
      {data?.recorded && data.recordingEnded === undefined ? (
        <a class="badge warn changed" href={linkTo('cases')}>
          recording
        </a>
      ) : null}
    </div>
  )
}
