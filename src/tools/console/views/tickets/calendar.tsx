import { useState } from 'preact/hooks'
import { api } from '../../address.ts'
import { useAnswer, useRecords } from '../../hooks.ts'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/field.tsx'
import { Empty, Loading, Refusal } from '../../parts/state.tsx'
import { linkTo } from '../../route.ts'
import { toDay, utcDate } from '../../text.ts'
import type { Slot, SlotPage } from '../../types.ts'

const DAYS = 7

export function Calendar({ openedId }: { openedId: string | undefined }) {
  const centers = useRecords('serviceCenters')
  const [code, setCode] = useState('ASC001')
  /** Today at the center's own time unless told. */
  const [from, setFrom] = useState<string | undefined>()
  const known = centers.data?.items ?? []
  const center = known.find(({ ascCode }) => ascCode === code) ?? known[0]
  const about = center && `${center.ascCode} ${from}`
  const load = () => api.call('listSlots', { params: [center!.ascCode], query: { days: DAYS, from } })
  const week = useAnswer(about, load, { keep: true })
  if (centers.data && !center) return <Empty title="This world has no service centers." />
  const error = centers.error ?? week.error
  if (!center || !week.data) return error ? <Refusal error={error} /> : <Loading />
  const first = Date.parse(week.data.dates[0] ?? '')
  const go = (days: number) => setFrom(utcDate(first + days * 86_400_000))
  return (
    <>
      <div class="row">
        <Choice
          label="Service center"
          grow
          value={center.ascCode}
          onInput={setCode}
          options={known.map(({ ascCode, storeName }) => [ascCode, `${ascCode}, ${storeName}`])}
        />
        <div class="buttons" role="group" aria-label="Week">
          <Button onClick={() => go(-DAYS)}>Earlier</Button>
          <Button off={from === undefined} onClick={() => setFrom(undefined)}>
            This week
          </Button>
          <Button onClick={() => go(DAYS)}>Later</Button>
        </div>
      </div>
      <p class="hint">
        From {toDay(first)}, in {center.timeZone}. Each cell says how many places are taken.
      </p>
      <Refusal error={week.error} />
      <Days week={week.data} openedId={openedId} />
    </>
  )
}

function Days({ week: { dates, items }, openedId }: { week: SlotPage; openedId: string | undefined }) {
  const rows = [...new Set(items.map(timeOf))].sort(byTime)
  return (
    <div class="calendar-box" tabIndex={0} role="region" aria-label="Calendar">
      <table class="calendar">
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">From</span>
            </th>
            {dates.map((date) => (
              <th key={date} scope="col">
                {toDay(date).slice(0, -5)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((time) => (
            <tr key={time}>
              <th scope="row">{time}</th>
              {dates.map((date) => (
                <Cell
                  key={date}
                  slot={items.find((slot) => slot.date === date && timeOf(slot) === time)}
                  openedId={openedId}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cell({ slot, openedId }: { slot: Slot | undefined; openedId: string | undefined }) {
  if (!slot) return <td class="closed" aria-label="closed" />
  const { bookings, capacity } = slot
  return (
    <td class={bookings.length >= capacity ? 'full' : bookings.length > 0 ? 'some' : 'free'}>
      <span class="taken">
        {bookings.length}/{capacity}
      </span>
      {bookings.map(({ srid, appointmentId }) => (
        <a key={appointmentId} href={linkTo('tickets', srid)} aria-current={srid === openedId ? 'true' : undefined}>
          {srid}
        </a>
      ))}
    </td>
  )
}

function timeOf({ kind, from }: Slot): string {
  return kind === 'IH' ? `At home, ${from}` : from
}

/** In-home windows come before the times of day. */
function byTime(a: string, b: string): number {
  return Number(/^\d/.test(a)) - Number(/^\d/.test(b)) || a.localeCompare(b)
}
