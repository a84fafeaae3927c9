import { useState } from 'preact/hooks'
import { api } from './address.ts'
import { useClosing } from './closing.ts'
import { type Act, useAct, useWorldNow } from './hooks.ts'
import { setClock, useLive } from './live.ts'
import { Button } from './parts/button.tsx'
import { Field } from './parts/field.tsx'
import { Form } from './parts/form.tsx'
import { Refusal } from './parts/state.tsx'
import { count, toDay, toMinute, toTime } from './text.ts'
import type { ClockMove } from './types.ts'

const MOST_TOLD = 5

export const steps = [
  { duration: 'PT1H', label: '+1 h' },
  { duration: 'P1D', label: '+1 day' },
  { duration: 'P31D', label: '+31 days' },
] as const

/** The new time shows at once, with what fell due on the way. */
export async function moveClock(made: Promise<ClockMove>): Promise<void> {
  const { due, fellDue, ...clock } = await made
  setClock(clock, { due, fellDue })
}

export function ClockBar() {
  const act = useAct()
  const [asked, setAsked] = useState(false)
  const frozen = useLive((live) => live.clock?.frozen ?? false)
  return (
    <div class="clock-bar" role="group" aria-label="The world's clock">
      <Time />
      <div class="buttons">
        {steps.map(({ duration, label }) => (
          <Button key={duration} act={act} onClick={() => moveClock(api.clock.advance(duration))}>
            {label}
          </Button>
        ))}
        <Button aria-expanded={asked} onClick={() => setAsked(!asked)}>
          Date…
        </Button>
        <Button
          class="freeze"
          aria-pressed={frozen}
          act={act}
          onClick={() => moveClock(frozen ? api.clock.unfreeze() : api.clock.freeze())}
        >
          {frozen ? 'Run' : 'Freeze'}
        </Button>
      </div>
      {asked ? <DateForm onDone={() => setAsked(false)} /> : null}
      {act.error && act.error.status !== 0 ? <Told error={act.error} onClose={act.forget} /> : null}
      <p class="hidden" role="status">
        <Due />
      </p>
    </div>
  )
}

/** The reason stays until somebody closes it or moves the clock again. */
function Told({ error, onClose }: { error: Act['error']; onClose(): void }) {
  const box = useClosing<HTMLDivElement>(onClose, { outside: true })
  return (
    <div class="error" ref={box}>
      <Refusal error={error} />
    </div>
  )
}

export function Due() {
  const moved = useLive((live) => live.due)
  if (moved === undefined) return null
  const { due, fellDue } = moved
  if (due === 0) return <>Nothing fell due on the way.</>
  const first = fellDue.slice(0, MOST_TOLD).map(({ at, what }) => `${toMinute(at)} ${what}`)
  return <>{`${count(due, 'thing')} fell due on the way: ${first.join('; ')}${due > first.length ? '; …' : '.'}`}</>
}

function Time() {
  const now = useWorldNow()
  const frozen = useLive((live) => live.clock?.frozen ?? false)
  if (now === undefined) return <span class="time">…</span>
  return (
    <time class="time" dateTime={new Date(now).toISOString()}>
      <span class="date">{toDay(now)}</span> <strong>{toTime(now)}</strong>
      <span class="zone">{frozen ? 'frozen' : 'UTC'}</span>
    </time>
  )
}

function DateForm({ onDone }: { onDone: () => void }) {
  const now = useWorldNow() ?? 0
  const [date, setDate] = useState(() => new Date(now).toISOString().slice(0, 16))
  const act = useAct()
  const box = useClosing<HTMLDivElement>(onDone, { outside: true })
  const move = async (made: Promise<ClockMove>) => {
    await moveClock(made)
    onDone()
  }
  return (
    <div ref={box}>
      <Form
        label="Set the clock"
        class="date-form"
        submit="Set"
        onSubmit={() => move(api.clock.set(`${date.slice(0, 16)}:00Z`))}
        further={
          <>
            <Button onClick={() => void act.run(() => move(api.clock.reset()))}>Real time</Button>
            <Button onClick={onDone}>Close</Button>
          </>
        }
      >
        <Field label="Date and time, UTC" type="datetime-local" required value={date} autofocus onInput={setDate} />
      </Form>
    </div>
  )
}
