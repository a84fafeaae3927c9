import { useState } from 'preact/hooks'
import { call } from './api.ts'
import { type Act, useAct, useWorldNow } from './hooks.ts'
import { setClock, useLive } from './live.ts'
import { toDay, toTime } from './text.ts'
import type { Clock } from './types.ts'
import { Form } from './parts/form.tsx'

export const steps = [
  { duration: 'PT1H', label: '+1 h' },
  { duration: 'P1D', label: '+1 day' },
  { duration: 'P31D', label: '+31 days' },
] as const

/** Moves the world's clock; the new time shows at once. */
export async function moveClock(method: string, path: string, body?: unknown): Promise<void> {
  setClock(await call<Clock>(method, path, body))
}

/** The world's time and the ways to move it. */
export function ClockBar() {
  const act = useAct()
  const [asked, setAsked] = useState(false)
  const frozen = useLive((live) => live.clock?.frozen ?? false)
  return (
    <div class="clock-bar" role="group" aria-label="The world's clock">
      <Time />
      <div class="buttons">
        {steps.map(({ duration, label }) => (
          <button
            key={duration}
            type="button"
            disabled={act.busy}
            onClick={() => void act.run(() => moveClock('POST', 'clock/advance', { duration }))}
          >
            {label}
          </button>
        ))}
        <button type="button" aria-expanded={asked} onClick={() => setAsked(!asked)}>
          Date…
        </button>
        <button
          type="button"
          class="freeze"
          aria-pressed={frozen}
          disabled={act.busy}
          onClick={() => void act.run(() => moveClock('PUT', 'clock', { frozen: !frozen }))}
        >
          {frozen ? 'Run' : 'Freeze'}
        </button>
      </div>
      {asked ? <DateForm act={act} onDone={() => setAsked(false)} /> : null}
      {act.error ? (
        <p class="error" role="alert">
          {act.error.message}
        </p>
      ) : null}
    </div>
  )
}

function Time() {
  const now = useWorldNow()
  const frozen = useLive((live) => live.clock?.frozen ?? false)
  if (now === undefined) return <span class="time">…</span>
  return (
    <time class="time" dateTime={new Date(now).toISOString()}>
      <span class="date">{toDay(now)}</span> <strong>{toTime(now)}</strong>
      <span class={`zone ${frozen ? 'frozen' : ''}`}>{frozen ? 'frozen' : 'UTC'}</span>
    </time>
  )
}

function DateForm({ act, onDone }: { act: Act; onDone: () => void }) {
  const now = useWorldNow() ?? 0
  const [date, setDate] = useState(() => new Date(now).toISOString().slice(0, 16))
  return (
    <Form
      label="Set the clock"
      class="date-form"
      onSubmit={() => {
        void act.run(() => moveClock('PUT', 'clock', { now: `${date}:00Z` })).then((moved) => moved && onDone())
      }}
    >
      <label class="field">
        <span>Date and time, UTC</span>
        <input
          type="datetime-local"
          required
          value={date}
          // The page put it here because somebody asked for it.
          autofocus
          onInput={(event) => setDate(event.currentTarget.value.slice(0, 16))}
        />
      </label>
      <button type="submit" class="primary">
        Set
      </button>
      <button type="button" onClick={() => void act.run(() => moveClock('DELETE', 'clock')).then(onDone)}>
        Real time
      </button>
      <button type="button" onClick={onDone}>
        Close
      </button>
    </Form>
  )
}
