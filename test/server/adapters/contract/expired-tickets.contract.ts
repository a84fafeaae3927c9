import { expect, test } from 'vitest'
import { listTickets, type TicketSearch } from '../../../../src/server/domain/dealer/ticket-search.ts'
import type { Store } from '../../../../src/server/ports/store.ts'
import { toChoiceValues } from '../../../../src/contract/records/control/choice-values.ts'
import type { RecordOf } from '../../../../src/contract/records/collections.ts'
import { newTicket } from '../../../helpers/records.ts'

type Ticket = RecordOf<'tickets'>
type Status = Ticket['status']

const DAY = 24 * 3_600_000
const NOON = Date.parse('2026-05-10T12:00:00Z')
const PAGE = 7
const statuses: readonly Status[] = ['E0001', 'E0002', 'E0003']
const zones = { 'Etc/UTC': 'Z', 'Pacific/Kiritimati': '+14:00', 'Pacific/Pago_Pago': '-11:00' }
const zoneNames = Object.keys(zones) as (keyof typeof zones)[]

/** Every third ticket is open. Most tickets have an appointment that ends at noon on a day near `NOON`. */
const tickets = Array.from({ length: 60 }, (_, i) => {
  const date = new Date(NOON + ((i % 7) - 3) * DAY).toISOString().slice(0, 10)
  const times = { date, startTime: '08:00', endTime: '12:00', timeZone: zoneNames[i % 5] ?? 'Etc/UTC' }
  return newTicket({
    srid: String(9_410_000_000 + i),
    ticketNumber: String(9_720_000_000 + i),
    status: statuses[i % 3]!,
    serviceType: i % 2 === 0 ? 'IH' : 'SR',
    modelCode: `VM-${i % 4}`,
    companyId: i % 11 === 0 ? 'T200' : 'T100',
    createdAt: new Date(NOON - ((i * 37) % 60) * DAY).toISOString(),
    ...(i % 4 !== 3 && { appointment: { ...times, appointmentId: `A-${i}`, status: 'REQUESTED' as const } }),
  })
})

/** A ticket closes one day after the end of its appointment, even if it was not confirmed. */
function statusAt({ status, appointment }: Ticket, now: number): Status {
  if (!appointment) return status
  const end = Date.parse(`${appointment.date}T12:00:00${zones[appointment.timeZone as keyof typeof zones]}`)
  return end + DAY <= now ? 'E0003' : status
}

function expected(all: readonly Ticket[], now: number, { statusList, serviceType, sortField, sortDirection }: Search) {
  const field = sortField ?? 'createdAt'
  const shown = all.map((ticket) => ({ ...ticket, status: statusAt(ticket, now) }))
  const matching = shown.filter(
    (ticket) =>
      ticket.companyId === 'T100' &&
      (statusList ?? statuses).includes(ticket.status) &&
      (serviceType === undefined || ticket.serviceType === serviceType),
  )
  const placeOf = (ticket: Ticket) => `${ticket[field]} ${ticket.srid}`
  const sorted = matching.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  return (sortDirection === 'desc' ? sorted.toReversed() : sorted).map(({ srid, status }) => `${srid} ${status}`)
}

type Search = Omit<TicketSearch, 'offset' | 'limit'>

const searches: Search[] = [undefined, ['E0001'], ['E0003'], ['E0001', 'E0003'], ['E0002', 'E0001']].flatMap((list) =>
  (['createdAt', 'status', 'srid', 'modelCode'] as const).flatMap((sortField) =>
    (['asc', 'desc'] as const).flatMap((sortDirection) =>
      [undefined, 'SR'].map((serviceType) => {
        return { statusList: list as Status[] | undefined, sortField, sortDirection, serviceType }
      }),
    ),
  ),
)

async function expectPages(store: Store, all: readonly Ticket[], now: number): Promise<void> {
  const ports = { store, clock: { now: () => now }, world: { choices: toChoiceValues() } }
  const dealer = { userId: 'profile:dealer-tess', source: 'vendor.com', companyId: 'T100' } as const
  for (const search of searches) {
    const wanted = expected(all, now, search)
    const hint = `${JSON.stringify(search)} at ${new Date(now).toISOString()}`
    for (let offset = 0; offset <= wanted.length + PAGE; offset += PAGE) {
      const { items, totalCount } = await listTickets(ports, dealer, { ...search, offset, limit: PAGE })
      const found = items.map(({ srid, status }) => `${srid} ${status}`)
      expect(found, hint).toEqual(wanted.slice(offset, offset + PAGE))
      expect(totalCount, hint).toBe(wanted.length)
    }
  }
}

/** Operation 19 returns expired tickets as closed, although the engine stores them as open. */
export function describeExpiredTickets(open: () => Store): void {
  const putTickets = (store: Store) =>
    store.transaction(async (tx) => {
      for (const ticket of tickets) await tx.tickets.put(ticket)
    })

  test('operation 19 filters, sorts and counts by current status when the clock moves both ways', async () => {
    const store = open()
    await putTickets(store)
    for (const days of [0, 0.5, -1.55, 9, 1, -2, 2]) await expectPages(store, tickets, NOON + days * DAY)
    expect(await store.tickets.get(tickets[0]!.srid)).toEqual(tickets[0])
  })

  test('operation 19 returns correct pages after expired tickets are changed or deleted', async () => {
    const store = open()
    const now = NOON + DAY
    await putTickets(store)
    await expectPages(store, tickets, now)
    const later = { ...tickets[0]!.appointment!, date: '2026-06-30' }
    const moved = tickets.map((each, i) => (i % 6 === 0 && each.appointment ? { ...each, appointment: later } : each))
    const left = moved.filter((_, i) => i % 9 !== 0)
    await store.transaction(async (tx) => {
      for (const ticket of moved) await tx.tickets.put(ticket)
      for (const { srid } of moved.filter((each) => !left.includes(each))) await tx.tickets.delete(srid)
    })
    for (const at of [now, Date.parse('2026-07-30T12:00:00Z'), now]) await expectPages(store, left, at)
  })

  test('find with upTo returns matching records in index order, including changes of its own transaction', async () => {
    const store = open()
    await putTickets(store)
    const where = { companyId: 'T100', status: ['E0001', 'E0002'], serviceType: 'IH' }
    const expectUpTo = async (view: Pick<Store, 'tickets'>, all: readonly Ticket[], upTo: string) => {
      for (const direction of ['asc', 'desc'] as const) {
        const placeOf = ({ appointment, srid }: Ticket) => `${appointment!.date} ${srid}`
        const wanted = all
          .filter(({ companyId, status, serviceType }) => {
            return companyId === where.companyId && where.status.includes(status) && serviceType === where.serviceType
          })
          .filter(({ appointment }) => appointment && appointment.date <= upTo)
          .sort((a, b) => (placeOf(a) < placeOf(b) === (direction === 'asc') ? -1 : 1))
        const query = { where, orderBy: { field: 'appointment.date', direction }, upTo }
        expect(await view.tickets.find(query)).toEqual(wanted)
        expect(await view.tickets.find({ ...query, offset: 2, limit: 3 })).toEqual(wanted.slice(2, 5))
      }
    }
    const earlier = { ...tickets[0]!.appointment!, date: '2026-05-01' }
    const changed = tickets.slice(3).map((each, i) => (i % 5 === 0 ? { ...each, appointment: earlier } : each))
    for (const day of ['2026-05-06', '2026-05-07', '2026-05-09', '2026-06-01']) await expectUpTo(store, tickets, day)
    await store.transaction(async (tx) => {
      for (const ticket of changed) await tx.tickets.put(ticket)
      for (const { srid } of tickets.slice(0, 3)) await tx.tickets.delete(srid)
      for (const day of ['2026-04-30', '2026-05-01', '2026-05-08']) await expectUpTo(tx, changed, day)
    })
    await expectUpTo(store, changed, '2026-05-08')
  })
}
