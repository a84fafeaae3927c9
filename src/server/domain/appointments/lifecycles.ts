import { MAX_RESCHEDULES } from '#contract/records/appointments/appointment.ts'
import type { ServiceCenter } from '#contract/records/appointments/service-center.ts'
import type { Lifecycle } from '#contract/records/progress.ts'
import type { ComingMove } from '#contract/control/tickets.ts'
import type { OutboxMessage } from '#contract/records/control/outbox-message.ts'
import { PROFILE_SINCE } from '#contract/records/control/vendor-profile.ts'
import type { Ports } from '#server/ports.ts'
import type { Transaction } from '#server/ports/store.ts'
import type { NextMove } from '#server/ports/world.ts'
import { moveTo } from '../progress.ts'
import { addDays } from '../time.ts'
import { closesAt, endOf } from './appointments.ts'
import { findFreeWindow, rebook } from './bookings.ts'
import { findNextMove, findOpen, type MovingRequest } from './lifecycle-moves.ts'

/** Maximum number of moves in one transaction, so that other work can run in between. */
const MOST_MOVES = 200

/** In order, each at its due time, so the result does not depend on when or how often this runs. */
export function advanceRequests(ports: Ports): Promise<void> {
  const { progress } = ports.state
  // An error in the previous run has already been reported to its caller, so it is ignored here.
  progress.turn = progress.turn.catch(() => {}).then(() => advance(ports))
  return progress.turn
}

async function advance(ports: Ports): Promise<void> {
  const now = ports.clock.now()
  await generateLifecycles(ports, now)
  while (await advanceSome(ports, now));
}

/** In the order of creation, so that a world with a seed is reproducible. */
async function generateLifecycles({ store, random }: Ports, now: number): Promise<void> {
  const kept = await store.settings.get(PROFILE_SINCE)
  const since = kept ? Date.parse(kept.value) : now
  const isOver = (request: MovingRequest) =>
    (request.status === 'E0001' ? endOf(request.appointment!) : (closesAt(request) ?? Infinity)) <= since
  const waiting = (await findOpen(store))
    .filter((each) => (each.lifecycle ? Date.parse(each.lifecycle.from) < since : each.appointment && !isOver(each)))
    .sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.srid.localeCompare(b.srid))
  if (waiting.length === 0) return
  const fresh = waiting.filter(({ lifecycle }) => !lifecycle)
  const bytes = fresh.length === 0 ? new Uint8Array() : await random.bytes('course', fresh.length * 4)
  const draws = new DataView(bytes.buffer, bytes.byteOffset)
  const drawn = new Map(fresh.map(({ srid }, i) => [srid, generateLifecycle(draws, i * 4)]))
  await store.transaction(async (tx) => {
    for (const { srid, createdAt } of waiting) {
      const request = (await tx.tickets.get(srid)) ?? (await tx.inStoreRequests.get(srid))
      if (!request || (request.lifecycle && drawn.has(srid))) continue
      const from = new Date(Math.max(since, Date.parse(createdAt))).toISOString()
      await keep(tx, { ...request, lifecycle: { ...(request.lifecycle ?? drawn.get(srid)!), from } })
    }
  })
}

function generateLifecycle(draws: DataView, place: number): Omit<Lifecycle, 'from'> {
  return {
    minutes: 1 + (draws.getUint16(place) % 240),
    chance: (['PARTS', 'LATE', 'CLOSED'] as const)[draws.getUint16(place + 2) % 10] ?? 'PLAIN',
  }
}

interface Due {
  request: MovingRequest
  move: NextMove
  center: ServiceCenter | undefined
}

function advanceSome(ports: Ports, now: number): Promise<boolean> {
  return ports.store.transaction(async (tx) => {
    const centers = new Map((await tx.serviceCenters.find()).map((center) => [center.ascCode, center]))
    const due = new Map<string, Due>()
    const look = (request: MovingRequest) => {
      const center = centers.get(request.ascCode ?? '')
      const move = nextMove(ports, request, center)
      if (move && move.at <= now) due.set(request.srid, { request, move, center })
      else due.delete(request.srid)
    }
    for (const request of await findOpen(tx)) look(request)
    for (let i = 0; i < MOST_MOVES && due.size > 0; i++) {
      look(await makeMove(ports, tx, [...due.values()].reduce(earlier)))
    }
    return due.size > 0
  })
}

function earlier(a: Due, b: Due): Due {
  return b.move.at < a.move.at || (b.move.at === a.move.at && b.request.srid < a.request.srid) ? b : a
}

function nextMove({ state }: Ports, request: MovingRequest, center: ServiceCenter | undefined) {
  const { moves } = state.progress
  const kept = moves.get(request)
  if (kept && kept.center === center) return kept.move
  const move = findNextMove(request, center)
  moves.set(request, { center, move })
  return move
}

async function makeMove(ports: Ports, tx: Transaction, due: Due): Promise<MovingRequest> {
  const at = new Date(due.move.at).toISOString()
  const { name } = due.move
  const moved = await movedBy(ports, tx, { ...due, request: { ...due.request, updatedAt: at } }, at)
  if (!moved) {
    // No free slot is left for the new appointment, so the request continues with a plain lifecycle.
    const plain = { ...due.request, lifecycle: { ...due.request.lifecycle!, chance: 'PLAIN' as const } }
    await keep(tx, plain)
    return plain
  }
  await keep(tx, moved)
  await tx.outbox.put(toMoveMail(moved, name, at, newIdOf(ports, 'M', moved)))
  return moved
}

async function movedBy(
  ports: Ports,
  tx: Transaction,
  { request, move: { name }, center }: Due,
  at: string,
): Promise<MovingRequest | undefined> {
  const appointment = request.appointment!
  if (name === 'CONFIRMED') {
    return { ...request, ...moveTo(request, 'E0002', at, name), appointment: { ...appointment, status: name } }
  }
  if (name === 'CANCELLED_BY_VENDOR' || name === 'COMPLETED') {
    await tx.bookings.delete(appointment.appointmentId)
    const status = name === 'COMPLETED' ? name : 'CANCELLED'
    return { ...request, ...moveTo(request, 'E0003', at, name, name), appointment: { ...appointment, status } }
  }
  const held = await tx.bookings.get(appointment.appointmentId)
  const isLate = name === 'TECHNICIAN_LATE'
  const before = 'previousAppointments' in request ? request.previousAppointments : []
  if (!center || !held || before.length >= MAX_RESCHEDULES) return undefined
  const kind = request.serviceType === 'CI' ? 'WI' : 'IH'
  const days = isLate
    ? { from: appointment.date, count: 1, after: Date.parse(held.startsAt) }
    : { from: addDays(appointment.date, 7), count: MOST_DAYS, after: 0 }
  const found = await findFreeWindow(tx, { center, kind, held }, days)
  if (!found) return undefined
  const appointmentId = isLate ? appointment.appointmentId : newIdOf(ports, 'A', request)
  await rebook(tx, held, found, appointmentId)
  const { date, slot } = found
  const times = { date, startTime: slot.startTime, endTime: slot.endTime }
  const next = { ...appointment, appointmentId, ...times, status: 'CONFIRMED' as const }
  const moved = { ...request, ...moveTo(request, 'E0002', at, name), appointment: next }
  if (isLate || !('previousAppointments' in moved)) return moved
  return { ...moved, previousAppointments: [...before, { ...appointment, status: 'RESCHEDULED' as const }] }
}

/** Number of days in which to search for another appointment. */
const MOST_DAYS = 90

function keep(tx: Transaction, request: MovingRequest): Promise<void> {
  return request.serviceType === 'CI' ? tx.inStoreRequests.put(request) : tx.tickets.put(request)
}

/** The ID is derived and not random. A transaction may run more than once, but must always use the same ID. */
function newIdOf({ digests }: Ports, prefix: string, { srid, history }: MovingRequest): string {
  return `${prefix}-${digests.sha256(`${prefix} ${srid} ${history.length}`).slice(0, 16).toUpperCase()}`
}

const words: Readonly<Record<ComingMove['move'], { subject: string; sentence: (time: string) => string }>> = {
  CONFIRMED: { subject: 'is confirmed', sentence: (time) => `Your appointment is confirmed: ${time}.` },
  CANCELLED_BY_VENDOR: {
    subject: 'is cancelled',
    sentence: (time) => `We are sorry, but we had to cancel your appointment: ${time}. The request is closed.`,
  },
  TECHNICIAN_LATE: {
    subject: 'is delayed',
    sentence: (time) => `We are running late today. Your appointment is now: ${time}.`,
  },
  PARTS_ORDERED: {
    subject: 'waits for parts',
    sentence: (time) => `We have ordered parts for your product. Your next appointment: ${time}.`,
  },
  COMPLETED: { subject: 'is completed', sentence: (time) => `Your service appointment is completed: ${time}.` },
}

function toMoveMail(
  request: MovingRequest,
  move: ComingMove['move'],
  sentAt: string,
  messageId: string,
): OutboxMessage {
  const { srid, ticketNumber, appointment } = request
  const { firstName, email } = 'customer' in request ? request.customer : request
  const { date, startTime, endTime, timeZone } = appointment!
  const { subject, sentence } = words[move]
  const text = sentence(`${date}, ${startTime} to ${endTime} (${timeZone})`)
  return {
    messageId,
    channel: 'EMAIL',
    to: email,
    subject: `Your service request ${ticketNumber} ${subject}`,
    text: `Hello ${firstName},\n\n${text}`,
    links: [],
    srid,
    sentAt,
  }
}
