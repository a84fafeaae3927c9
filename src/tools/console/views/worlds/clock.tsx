import { useState } from 'preact/hooks'
import { api } from '#tools/console/address.ts'
import { Due, moveClock, steps } from '#tools/console/clock-bar.tsx'
import { readAll, useAct, useAnswer, useWorldNow } from '#tools/console/hooks.ts'
import { useLive } from '#tools/console/live.ts'
import { Button } from '#tools/console/parts/button.tsx'
import { Facts, Field } from '#tools/console/parts/field.tsx'
import { Form } from '#tools/console/parts/form.tsx'
import { Badge, Empty, Loading, Refusal } from '#tools/console/parts/state.tsx'
import { toDay, toDistance, toMinute, toTime } from '#tools/console/text.ts'
import type { ClockMove, ComingMove, RecordOf } from '#tools/console/types.ts'
import { Pager, usePages } from '#tools/console/parts/pager.tsx'
import { linkTo } from '#tools/console/route.ts'

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

interface Coming {
  at: number
  what: string
  href: string
}

export function ComingUp({ now, size = 12 }: { now: number; size?: number }) {
  const { data, error } = useAnswer('coming', loadComing)
  const ahead = (data?.coming ?? []).filter(({ at }) => at > now).sort((a, b) => a.at - b.at)
  const pages = usePages(ahead, size)
  return (
    <section class="panel" aria-label="Coming up">
      <h2>Coming up</h2>
      <Refusal error={error} />
      {data === undefined && !error ? <Loading /> : null}
      {data && ahead.length === 0 ? (
        <Empty title="Nothing is due: no payments, appointments or scenario steps." />
      ) : null}
      <table class="plain coming">
        <tbody>
          {pages.shown.map(({ at, what, href }) => (
            <tr key={`${at} ${what}`}>
              <td class="when">{toMinute(at)}</td>
              <td>
                <a href={href}>{what}</a>
              </td>
              <td class="far">{toDistance(at, now)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Pager {...pages} />
      {data?.unread.map((each) => (
        <p class="hint">Only {each} are looked at.</p>
      ))}
    </section>
  )
}

/** Tickets move by themselves only where `ticket-progress` is auto. */
const moveWords: Readonly<Record<ComingMove['move'], string>> = {
  CONFIRMED: 'is confirmed',
  CANCELLED_BY_VENDOR: 'is closed by the vendor',
  TECHNICIAN_LATE: 'is late by a window',
  PARTS_ORDERED: 'waits for parts',
  COMPLETED: 'is completed',
}

export async function loadRenewals(): Promise<{ at: number; purchaseID: string }[]> {
  return toRenewals(await readPurchases())
}

const readPurchases = () => readAll(api.purchases.list)

function toRenewals({ items }: Awaited<ReturnType<typeof readPurchases>>) {
  return items
    .flatMap(({ purchaseID, nextPaymentAt }) =>
      nextPaymentAt === undefined ? [] : [{ at: Date.parse(nextPaymentAt), purchaseID }],
    )
    .sort((a, b) => a.at - b.at)
}

/** `unread` names lists that were too long to read. */
async function loadComing(): Promise<{ coming: Coming[]; unread: string[] }> {
  const [moves, bookings, purchases, scenarios] = await Promise.all([
    readAll(api.tickets.coming),
    readAll((page) => api.records.list<RecordOf<'bookings'>>('bookings', page)),
    readPurchases(),
    api.scenarios.list({ limit: 100 }),
  ])
  const unread = Object.entries({ moves, appointments: bookings, purchases, scenarios })
    .filter(([, { items, totalCount }]) => items.length < totalCount)
    .map(([name, { items, totalCount }]) => `the first ${items.length} of ${totalCount} ${name}`)
  const coming = [
    ...toRenewals(purchases).map(({ at, purchaseID }) => ({
      at,
      what: `${purchaseID} renews`,
      href: linkTo('billing', purchaseID),
    })),
    ...moves.items.map(({ at, srid, move }) => ({
      at: Date.parse(at),
      what: `Request ${srid} ${moveWords[move]}`,
      href: linkTo('tickets', srid),
    })),
    ...bookings.items.map(({ startsAt, ascCode, srid }) => ({
      at: Date.parse(startsAt),
      what: `Visit of ${srid} at ${ascCode}`,
      href: linkTo('tickets', srid),
    })),
    ...scenarios.items.map(({ nextAt, nextStep, scenarioId }) => ({
      at: Date.parse(nextAt),
      what: `Step ${nextStep + 1} of scenario ${scenarioId}`,
      href: linkTo('scenarios'),
    })),
  ]
  return { coming, unread }
}
