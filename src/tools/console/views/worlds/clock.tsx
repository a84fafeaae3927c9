import { useState } from 'preact/hooks'
import { api } from '../../address.ts'
import { Due, moveClock, steps } from '../../clock-bar.tsx'
import { useAct, useWorldNow } from '../../hooks.ts'
import { useLive } from '../../live.ts'
import { Button } from '../../parts/button.tsx'
import { Facts, Field } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Badge, Refusal } from '../../parts/state.tsx'
import { toDay, toDistance, toTime } from '../../text.ts'
import type { ClockMove } from '../../types.ts'
import { ComingUp } from './coming-up.tsx'

const [hour, day, month] = steps
const more = [
  { duration: 'PT1M', label: '+1 min' },
  hour,
  day,
  { duration: 'P7D', label: '+7 days' },
  month,
  { duration: 'P1M', label: '+1 month' },
  { duration: 'P1Y', label: '+1 year' },
]

export function ClockView() {
  const clock = useLive((live) => live.clock)
  const now = useWorldNow()
  const act = useAct()
  const [duration, setDuration] = useState('P90D')
  const [date, setDate] = useState('')
  const move = (made: () => Promise<ClockMove>) => void act.run(() => moveClock(made()))
  if (!clock || now === undefined) return <h1>Clock</h1>
  return (
    <section>
      <h1>Clock</h1>
      <div class="panel big-clock">
        <p class="big-time">
          <strong>{toTime(now)}</strong> <span>{toDay(now)}, UTC</span>
        </p>
        <Facts>
          {[
            ['Runs', clock.frozen ? <Badge tone="warn">frozen</Badge> : <Badge tone="good">running</Badge>],
            ['Real time', clock.frozen ? 'the clock stands' : toShift(clock.offsetMs)],
          ]}
        </Facts>
        <div class="buttons">
          <Button onClick={() => move(clock.frozen ? api.clock.unfreeze : api.clock.freeze)}>
            {clock.frozen ? 'Run on' : 'Freeze'}
          </Button>
          <Button onClick={() => move(api.clock.reset)}>Back to real time</Button>
        </div>
      </div>
      <div class="panel">
        <h2>Go forward</h2>
        <p class="hint">What falls due on the way happens in its order, before the new time shows.</p>
        <div class="buttons" role="group" aria-label="Go forward">
          {more.map((step) => (
            <Button key={step.duration} off={act.busy} onClick={() => move(() => api.clock.advance(step.duration))}>
              {step.label}
            </Button>
          ))}
        </div>
        <div class="row">
          <Form label="Go forward by" submit="Go forward" onSubmit={() => moveClock(api.clock.advance(duration))}>
            <Field label="By, such as P90D" value={duration} onInput={setDuration} required />
          </Form>
          <Form label="Set any time" submit="Set" onSubmit={() => moveClock(api.clock.set(`${date.slice(0, 16)}:00Z`))}>
            <Field label="To any time, UTC" type="datetime-local" value={date} onInput={setDate} required />
          </Form>
        </div>
        <p class="hint">
          <Due />
        </p>
        <Refusal error={act.error} />
      </div>
      <ComingUp now={now} />
    </section>
  )
}

function toShift(offset: number): string {
  if (Math.abs(offset) < 1000) return 'the same as this clock'
  const distance = toDistance(offset, 0).replace(/^in | ago$/g, '')
  return `this clock is ${distance} ${offset > 0 ? 'ahead of it' : 'behind it'}`
}
