import { useState } from 'preact/hooks'
import { api } from './address.ts'
import { useClosing } from './closing.ts'
import { change, readLive, say, setClock, useLive, useWorldNow, worldNow } from './live.ts'
import { Button } from './parts/basics.tsx'
import { Field, Form } from './parts/form.tsx'
import { linkTo } from './route.ts'
import { count, toDay, toSecond, toSpan, toTime } from './text.ts'
import type { ClockMove } from '../client/types.ts'
import { findPassed, loadComing, summarizePassed } from './upcoming.ts'

export const steps = [
  { duration: 'PT1H', label: '+1 h' },
  { duration: 'P1D', label: '+1 day' },
  { duration: 'P31D', label: '+31 days' },
] as const

export async function moveClock(make: () => Promise<ClockMove>): Promise<void> {
  const before = readLive().clock
  const from = worldNow(before) ?? 0
  const coming = await loadComing()
  const move = await make()
  const { due: _due, dueTasks: _fellDue, ...clock } = move
  setClock(clock)
  if (clock.frozen !== before?.frozen) return say(clock.frozen ? 'Clock paused' : 'Clock running')
  const way = Date.parse(clock.now) - from
  if (way < SHORTEST_MOVE) return say(`Clock set ${way < 0 ? 'back ' : ''}to ${toSecond(clock.now)} UTC`)
  const passed = await findPassed(coming, from, move)
  change({ passed })
  say(`${toLength(way)} later: ${summarizePassed(passed)}`, passed.length > 0 ? linkTo('clock') : undefined)
}

const SHORTEST_MOVE = 60_000
const DAY = 86_400_000

/** The clock runs during the change, so the displayed length of the change is rounded to the minute. */
function toLength(milliseconds: number): string {
  const length = Math.round(milliseconds / 60_000) * 60_000
  return length < DAY ? toSpan(length) : count(Math.round(length / DAY), 'day')
}

export function ClockBar() {
  const [asked, setAsked] = useState(false)
  const frozen = useLive((live) => live.clock?.frozen ?? false)
  return (
    <div class="clock-bar" role="group" aria-label="The world's clock">
      <Time />
      <div class="buttons">
        {steps.map(({ duration, label }) => (
          <Button key={duration} onClick={() => moveClock(() => api.clock.advance(duration))}>
            {label}
          </Button>
        ))}
        <Button aria-expanded={asked} onClick={() => setAsked(!asked)}>
          Date…
        </Button>
        <Button
          class="freeze"
          aria-pressed={frozen}
          onClick={() => moveClock(frozen ? api.clock.unfreeze : api.clock.freeze)}
        >
          {frozen ? 'Resume clock' : 'Pause clock'}
        </Button>
      </div>
      {asked ? <DateForm onDone={() => setAsked(false)} /> : null}
    </div>
  )
}

function Time() {
  const now = useWorldNow()
  const frozen = useLive((live) => live.clock?.frozen ?? false)
  const isLost = useLive((live) => live.connection === 'lost')
  if (now === undefined || isLost) return <span class="time">…</span>
  return (
    <time class="time" dateTime={new Date(now).toISOString()}>
      {toDay(now)} <strong>{toTime(now)}</strong> {frozen ? 'paused' : 'UTC'}
    </time>
  )
}

function DateForm({ onDone }: { onDone: () => void }) {
  const box = useClosing<HTMLDivElement>(onDone, { outside: true })
  return (
    <div ref={box}>
      <ClockForm class="date-form" onDone={onDone} />
    </div>
  )
}

/** With `onDone`, the form is a layer that closes after the change. */
export function ClockForm({ class: name = 'row', onDone }: { class?: string; onDone?: () => void }) {
  const now = useWorldNow() ?? 0
  const [typed, type] = useState<string | undefined>()
  const date = typed ?? new Date(now).toISOString().slice(0, 16)
  const move = (make: () => Promise<ClockMove>) => moveClock(make).then(onDone ?? (() => type(undefined)))
  return (
    <Form
      label="Set the clock"
      class={name}
      submit="Set clock"
      onSubmit={() => move(() => api.clock.set(`${date.slice(0, 16)}:00Z`))}
      further={
        <>
          <Button onClick={() => move(api.clock.reset)}>Reset to real time</Button>
          {onDone ? <Button onClick={onDone}>Close</Button> : null}
        </>
      }
    >
      <Field label="New time, UTC" type="datetime-local" required value={date} autofocus={!!onDone} onInput={type} />
    </Form>
  )
}
