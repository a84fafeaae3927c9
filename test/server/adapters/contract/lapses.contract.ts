import { expect, test } from 'vitest'
import type { Store } from '../../../../src/server/ports/store.ts'
import type { RecordOf } from '../../../../src/contract/records/collections.ts'
import { newTicket } from '../../../helpers/records.ts'

type Ticket = RecordOf<'tickets'>
type Status = Ticket['status']

const DAY = 24 * 3_600_000
const NOON = Date.parse('2026-05-10T12:00:00Z')
const statuses: readonly Status[] = ['E0001', 'E0002', 'E0003']

/** Every third is open, with an appointment that ends at noon of one of the days before and behind. */
const tickets = Array.from({ length: 60 }, (_, i) => {
  const date = new Date(NOON + ((i % 7) - 3) * DAY).toISOString().slice(0, 10)
  const times = { date, startTime: '08:00', endTime: '12:00', timeZone: 'Etc/UTC' }
  return newTicket({
    srid: String(9_410_000_000 + i),
    ticketNumber: String(9_720_000_000 + i),
    status: statuses[i % 3]!,
    serviceType: i % 2 === 0 ? 'IH' : 'SR',
    createdAt: new Date(NOON - ((i * 37) % 60) * DAY).toISOString(),
    ...(i % 4 !== 3 && { appointment: { ...times, appointmentId: `A-${i}`, status: 'REQUESTED' as const } }),
  })
})

/** An open ticket is closed a day behind the end of its appointment, and no record says so. */
function statusAt({ status, appointment }: Ticket, asOf: number | undefined): Status {
  if (asOf === undefined || status !== 'E0001' || !appointment) return status
  return Date.parse(`${appointment.date}T12:00:00Z`) + DAY <= asOf ? 'E0003' : status
}

const orders = ['createdAt', 'status', 'srid'] as const

function expected(all: readonly Ticket[], list: readonly Status[], field: (typeof orders)[number], asOf?: number) {
  const placeOf = (each: Ticket) => `${field === 'status' ? statusAt(each, asOf) : each[field]} ${each.srid}`
  const met = all.filter((each) => each.companyId === 'T100' && list.includes(statusAt(each, asOf)))
  return met.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)).map(({ srid }) => srid)
}

async function expectAsOf(view: Pick<Store, 'tickets'>, all: readonly Ticket[], asOf?: number): Promise<void> {
  for (const list of [['E0001'], ['E0003'], ['E0001', 'E0003'], ['E0002', 'E0001'], [...statuses]] as Status[][]) {
    const where = { companyId: 'T100', status: list }
    for (const field of orders) {
      const wanted = expected(all, list, field, asOf)
      const query = { where, orderBy: { field, direction: 'asc' as const }, ...(asOf !== undefined && { asOf }) }
      const told = `${list} by ${field} as of ${asOf}`
      expect(
        (await view.tickets.find(query)).map(({ srid }) => srid),
        told,
      ).toEqual(wanted)
      const page = await view.tickets.find({ ...query, offset: 5, limit: 4 })
      expect(
        page.map(({ srid }) => srid),
        told,
      ).toEqual(wanted.slice(5, 9))
      expect(await view.tickets.count(where, asOf), told).toBe(wanted.length)
    }
  }
}

/** What an engine does with a field that changes by itself: see `Lapse`. */
export function describeLapses(open: () => Store): void {
  test('what lapses is found by what it is at the instant asked for, in whatever order the instants come', async () => {
    const store = open()
    await store.transaction(async (tx) => {
      for (const ticket of tickets) await tx.tickets.put(ticket)
    })
    for (const days of [0, 0.5, 9, 1, -2, 2]) {
      await expectAsOf(store, tickets, NOON + days * DAY)
      await expectAsOf(store, tickets)
    }
    const [first] = await store.tickets.find({ where: { companyId: 'T100', status: 'E0003' }, asOf: NOON + 9 * DAY })
    expect(first).toEqual(tickets[0])
    expect(await store.tickets.get(tickets[0]!.srid)).toEqual(tickets[0])
  })

  test('what lapses is found so whatever is written meanwhile, in the transaction and behind it', async () => {
    const store = open()
    const now = NOON + DAY
    await store.transaction(async (tx) => {
      for (const ticket of tickets) await tx.tickets.put(ticket)
    })
    await expectAsOf(store, tickets, now)
    const later = { ...tickets[0]!.appointment!, date: '2026-06-30' }
    const moved = tickets.map((each, i) => (i % 6 === 0 && each.appointment ? { ...each, appointment: later } : each))
    const left = moved.filter((_, i) => i % 9 !== 0)
    await store.transaction(async (tx) => {
      for (const ticket of moved) await tx.tickets.put(ticket)
      for (const { srid } of moved.filter((each) => !left.includes(each))) await tx.tickets.delete(srid)
      await expectAsOf(tx, left, now)
      await expectAsOf(tx, left)
    })
    for (const asOf of [now, Date.parse('2026-07-30T12:00:00Z'), undefined, now]) await expectAsOf(store, left, asOf)
  })
}
