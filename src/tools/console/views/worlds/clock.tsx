import { useState } from 'preact/hooks'
import { api } from '#tools/console/address.ts'
import { ClockForm, moveClock, steps } from '#tools/console/clock-bar.tsx'
import { type Coming, loaded, useLive, useWorldNow } from '#tools/console/live.ts'
import { Badge, Button } from '#tools/console/parts/basics.tsx'
import { Facts, Field, Form } from '#tools/console/parts/form.tsx'
import { type Column, Table } from '#tools/console/parts/table.tsx'
import { toDay, toDistance, toMinute, toTime } from '#tools/console/text.ts'
import { useComing } from '#tools/console/upcoming.ts'

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
  const coming = useComing()
  const [duration, setDuration] = useState('P90D')
  if (!clock || now === undefined) return <h1>Clock</h1>
  return (
    <section>
      <h1>Clock</h1>
      <div class="panel">
        <p class="big-time">
          <strong>{toTime(now)}</strong> <span>{toDay(now)}, UTC</span>
        </p>
        <Facts>
          {[
            ['Clock', clock.frozen ? <Badge tone="warn">paused</Badge> : <Badge tone="good">running</Badge>],
            ['Real time', clock.frozen ? 'the clock is paused' : toShift(clock.offsetMs)],
          ]}
        </Facts>
        <div class="buttons">
          <Button onClick={() => moveClock(clock.frozen ? api.clock.unfreeze : api.clock.freeze)}>
            {clock.frozen ? 'Resume clock' : 'Pause clock'}
          </Button>
        </div>
      </div>
      <div class="panel">
        <h2>Move the clock</h2>
        <p class="hint">Everything due by the new time happens in order before the clock shows that time.</p>
        <div class="buttons" role="group" aria-label="Go forward">
          {more.map((step) => (
            <Button key={step.duration} onClick={() => moveClock(() => api.clock.advance(step.duration))}>
              {step.label}
            </Button>
          ))}
        </div>
        <div class="row">
          <Form label="Go forward by" submit="Go forward" onSubmit={() => moveClock(() => api.clock.advance(duration))}>
            <Field label="Duration, such as P90D" value={duration} onInput={setDuration} required />
          </Form>
          <ClockForm />
        </div>
      </div>
      <Passed />
      <ComingUp now={now} of={coming} />
    </section>
  )
}

function toShift(offset: number): string {
  if (Math.abs(offset) < 1000) return 'equal to this clock'
  const distance = toDistance(offset, 0).replace(/^in | ago$/g, '')
  return `this clock is ${distance} ${offset > 0 ? 'ahead' : 'behind'}`
}

const columns: readonly Column<Coming>[] = [
  { title: 'What', value: ({ what }) => what },
  { title: 'When', width: '9.5rem', value: ({ at }) => at, cell: ({ at }) => toMinute(at) },
]

/** `size` is the maximum number of rows. */
export function ComingUp({ now, size, of }: { now: number; size?: number; of: ReturnType<typeof useComing> }) {
  const { data, error } = of
  const ahead = (data?.coming ?? []).filter(({ at }) => at > now)
  return (
    <section class="panel" aria-label="Coming up">
      <h2>Coming up</h2>
      <Table
        label="What is due"
        noun="event"
        of={{ data: data && { items: ahead.slice(0, size) }, error }}
        columns={[
          ...columns,
          { title: 'In', width: '7rem', cell: ({ at }) => toDistance(at, now).replace(/^in /, ''), minor: true },
        ]}
        keyOf={({ at, what }) => `${at} ${what}`}
        hrefOf={({ href }) => href}
        empty="Nothing is due: no payments, appointments, tokens or scenario steps."
      />
      {data?.unread.map((each) => (
        <p class="hint" key={each}>
          This list covers only {each}.
        </p>
      ))}
    </section>
  )
}

function Passed() {
  const passed = useLive((live) => live.passed)
  if (passed.length === 0) return null
  return (
    <section class="panel" aria-label="Last move">
      <h2>Last move of the clock</h2>
      <Table
        label="What was due"
        noun="event"
        of={loaded(passed)}
        columns={columns}
        keyOf={({ at, what }) => `${at} ${what}`}
        hrefOf={({ href }) => href}
        placeholder="purchase, ticket, token"
      />
    </section>
  )
}
