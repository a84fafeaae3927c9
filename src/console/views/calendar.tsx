import { useState } from 'preact/hooks'
import { get } from '../api.ts'
import { useAnswer, useLoad, useWorldNow } from '../hooks.ts'
import { Choice } from '../parts/field.tsx'
import { Loading, Refusal } from '../parts/state.tsx'
import { linkTo } from '../route.ts'
import { toDay } from '../text.ts'
import type { Page } from '../types.ts'
import { addDays, type Center, localDate, slotsOf, type Slot } from './slots.ts'

interface Booking {
  appointmentId: string
  srid: string
  slotId: string
}

const DAYS = 7

/** A week of a service centre: every slot, how full it is, and who comes. */
export function Calendar({ openedId }: { openedId: string | undefined }) {
  const centers = useLoad<Page<Center>>('records/serviceCenters?limit=100')
  const [code, setCode] = useState('ASC001')
  const [week, setWeek] = useState(0)
  const now = useWorldNow(60_000)
  const known = centers.data?.items ?? []
  const center = known.find(({ ascCode }) => ascCode === code) ?? known[0]
  if (!center || now === undefined) return centers.error ? <Refusal error={centers.error} /> : <Loading />
  const dates = Array.from({ length: DAYS }, (_, day) => addDays(localDate(now, center.timeZone), week * DAYS + day))
  return (
    <>
      <div class="row filters">
        <Choice
          label="Service centre"
          grow
          value={center.ascCode}
          onChoose={setCode}
          options={known.map(({ ascCode, storeName }) => [ascCode, `${ascCode}, ${storeName}`])}
        />
        <div class="buttons" role="group" aria-label="Week">
          <button type="button" onClick={() => setWeek(week - 1)}>
            Earlier
          </button>
          <button type="button" disabled={week === 0} onClick={() => setWeek(0)}>
            This week
          </button>
          <button type="button" onClick={() => setWeek(week + 1)}>
            Later
          </button>
        </div>
      </div>
      <p class="hint">
        From {toDay(dates[0] ?? now)}, in {center.timeZone}. Each cell says how many places are taken.
      </p>
      <Week center={center} dates={dates} openedId={openedId} />
    </>
  )
}

function Week({ center, dates, openedId }: { center: Center; dates: string[]; openedId: string | undefined }) {
  const about = `${center.ascCode} ${dates[0]}`
  const { data, error } = useAnswer(about, () => loadBookings(center.ascCode, dates))
  const days = dates.map((date) => slotsOf(center, date))
  const times = [...new Set(days.flatMap((slots) => slots.map(({ from }) => from)))].sort(byTime)
  return (
    <div class="calendar-box" tabIndex={0} role="region" aria-label="Calendar">
      <Refusal error={error} />
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
          {times.map((time) => (
            <tr key={time}>
              <th scope="row">{time}</th>
              {days.map((slots, day) => (
                <Cell
                  key={dates[day]}
                  slot={slots.find(({ from }) => from === time)}
                  bookings={data}
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

interface CellProps {
  slot: Slot | undefined
  bookings: readonly Booking[] | undefined
  openedId: string | undefined
}

function Cell({ slot, bookings, openedId }: CellProps) {
  if (!slot) return <td class="closed" aria-label="closed" />
  const taken = (bookings ?? []).filter(({ slotId }) => slotId === slot.slotId)
  const full = taken.length >= slot.capacity
  return (
    <td class={full ? 'full' : taken.length > 0 ? 'some' : 'free'}>
      <span class="taken">
        {taken.length}/{slot.capacity}
      </span>
      {taken.map(({ srid, appointmentId }) => (
        <a key={appointmentId} href={linkTo('tickets', srid)} aria-current={srid === openedId ? 'true' : undefined}>
          {srid}
        </a>
      ))}
    </td>
  )
}

async function loadBookings(ascCode: string, dates: readonly string[]): Promise<Booking[]> {
  const query = new URLSearchParams([['ascCode', ascCode], ...dates.map((date) => ['date', date]), ['limit', '100']])
  const found: Booking[] = []
  for (;;) {
    const { items, totalCount } = await get<Page<Booking>>(`records/bookings?${query}&offset=${found.length}`)
    found.push(...items)
    if (items.length === 0 || found.length >= totalCount) return found
  }
}

/** In-home windows come before the times of day. */
function byTime(a: string, b: string): number {
  return Number(/^\d/.test(a)) - Number(/^\d/.test(b)) || a.localeCompare(b)
}
