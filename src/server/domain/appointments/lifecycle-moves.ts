import type { ServiceCenter } from '#contract/records/appointments/service-center.ts'
import type { ComingMove } from '#contract/control/tickets.ts'
import type { Ticket } from '#contract/records/dealer/ticket.ts'
import type { InStoreRequest } from '#contract/records/in-store/in-store-request.ts'
import { localDate, localDay, toMinutes } from '#contract/records/local-times.ts'
import type { Ports } from '#server/ports.ts'
import type { View } from '#server/ports/store.ts'
import type { NextMove } from '#server/ports/world.ts'
import { yielding } from '#server/ports/yielding.ts'
import { addDays, dayOfWeek } from '../time.ts'
import { closesAt, endOf, startOf } from './appointments.ts'
import { isClosed } from './holidays.ts'

export type MovingRequest = Ticket | InStoreRequest

/** Returns all open requests except disputes, which do not progress automatically. */
export async function findOpen({ tickets, inStoreRequests }: View): Promise<MovingRequest[]> {
  const where = { status: ['E0001', 'E0002'] }
  const all: MovingRequest[] = [...(await tickets.find({ where })), ...(await inStoreRequests.find({ where }))]
  return all.filter(({ serviceType }) => serviceType !== 'DS')
}

export async function listComingMoves(
  { store, world }: Ports,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ items: ComingMove[]; totalCount: number }> {
  if (world.choices['ticket-progress'] === 'off') return { items: [], totalCount: 0 }
  const centers = new Map((await store.serviceCenters.find()).map((center) => [center.ascCode, center]))
  const coming: ComingMove[] = []
  for await (const request of yielding(await findOpen(store))) {
    const move = findNextMove(request, centers.get(request.ascCode ?? ''))
    const { srid, ticketNumber } = request
    if (move) coming.push({ at: new Date(move.at).toISOString(), srid, ticketNumber, move: move.name })
  }
  coming.sort((a, b) => a.at.localeCompare(b.at) || a.srid.localeCompare(b.srid))
  return { items: coming.slice(offset, offset + limit), totalCount: coming.length }
}

/** Choice `ticket-progress`. Returns undefined if the appointment was missed or has ended. */
export function findNextMove(request: MovingRequest, center?: ServiceCenter): NextMove | undefined {
  const { status, appointment, lifecycle, history } = request
  if (status === 'E0003' || !lifecycle || !appointment || !Number.isFinite(startOf(appointment))) return undefined
  const from = Date.parse(lifecycle.from)
  const [start, end] = [startOf(appointment), endOf(appointment)]
  const last = Math.max(from, Date.parse(history.at(-1)?.at ?? request.createdAt))
  if (status === 'E0001') {
    if (last >= end) return undefined
    const minutes = lifecycle.minutes * 60_000
    const confirmed = (center && addWorkingTime(center, last, minutes)) ?? start
    const name = lifecycle.chance === 'CLOSED' ? 'CANCELLED_BY_VENDOR' : 'CONFIRMED'
    return { at: Math.max(last, Math.min(confirmed, start)), name }
  }
  if (last >= (closesAt(request) ?? Infinity)) return undefined
  const was = (name: ComingMove['move']) => history.some(({ reason }) => reason === name)
  if (lifecycle.chance === 'LATE' && start >= last && !was('TECHNICIAN_LATE'))
    return { at: start, name: 'TECHNICIAN_LATE' }
  const name = lifecycle.chance === 'PARTS' && !was('PARTS_ORDERED') ? 'PARTS_ORDERED' : 'COMPLETED'
  return { at: Math.max(end, last), name }
}

const MOST_CLOSED_DAYS = 60

/** Counts only opening hours. Returns undefined if the center is closed for too many days in a row. */
function addWorkingTime(
  { hours, closedDates, timeZone }: ServiceCenter,
  from: number,
  milliseconds: number,
): number | undefined {
  let now = from
  let left = milliseconds
  const today = localDate(from, timeZone)
  for (let i = 0; i < MOST_CLOSED_DAYS; i++) {
    const date = addDays(today, i)
    if (isClosed(closedDates, date)) continue
    const instantOf = localDay(date, timeZone)
    const open = hours.filter((each) => each.dayOfWeek === dayOfWeek(date)).sort((a, b) => (a.open < b.open ? -1 : 1))
    for (const each of open) {
      // Opening hours may overlap, but each minute is counted only once.
      const start = Math.max(now, instantOf(toMinutes(each.open)) ?? now)
      const end = instantOf(toMinutes(each.close)) ?? start
      if (end - start >= left) return start + left
      if (end <= start) continue
      left -= end - start
      now = end
    }
  }
  return undefined
}
