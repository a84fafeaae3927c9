import type { Booking } from '#contract/records/appointments/booking.ts'
import type { ServiceCenter } from '#contract/records/appointments/service-center.ts'
import type { Course } from '#contract/records/progress.ts'
import { PROFILE_SINCE } from '#contract/records/control/vendor-profile.ts'
import { MAX_RESCHEDULES } from '#contract/records/appointments/appointment.ts'
import type { Ports } from '#server/ports.ts'
import type { Store, Transaction, View } from '#server/ports/store.ts'
import { moveTo } from '../progress.ts'
import { addDays } from '../time.ts'
import { endOf } from './appointments.ts'
import { findNextMove, type Move, type MoveName, type MovingRequest } from './course-moves.ts'
import { findFreeWindow, findFreeWindowFrom, toBooking } from './course-places.ts'
import type { OutboxMessage } from '#contract/records/control/outbox-message.ts'

/** Others get their turn after so many moves of one transaction. */
const MOST_MOVES = 200

/** Callers of a world wait for each other, so that what has happened happens once. */
const turns = new WeakMap<Store, Promise<void>>()

/**
 * Our choice, `ticket-progress: auto`: does what the clock has brought about since anybody asked, each move at its own
 * instant and in their order, so that it is the same whoever asks, and how often.
 */
export function advanceRequests(ports: Ports): Promise<void> {
  const turn = advanceAfter(turns.get(ports.store), ports)
  turns.set(ports.store, turn)
  return turn
}

async function advanceAfter(before: Promise<void> | undefined, ports: Ports): Promise<void> {
  // Callers of the earlier advance were told that it failed.
  await before?.catch(() => {})
  const now = ports.clock.now()
  await drawCourses(ports, now)
  while (await advanceSome(ports, now));
}

/** Disputes move only by hand. */
export async function findOpen({ tickets, inStoreRequests }: View): Promise<MovingRequest[]> {
  const where = { status: ['E0001', 'E0002'] }
  const all: MovingRequest[] = [...(await tickets.find({ where })), ...(await inStoreRequests.find({ where }))]
  return all.filter(({ serviceType }) => serviceType !== 'DS')
}

/** Chances are drawn in the order in which requests were made, so that a seeded world repeats them. */
async function drawCourses({ store, random }: Ports, now: number): Promise<void> {
  const kept = await store.settings.get(PROFILE_SINCE)
  const since = kept ? Date.parse(kept.value) : now
  const isMissed = ({ status, appointment }: MovingRequest) => status === 'E0001' && endOf(appointment!) <= since
  const waiting = (await findOpen(store))
    .filter((each) => (each.course ? Date.parse(each.course.from) < since : each.appointment && !isMissed(each)))
    .sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.srid.localeCompare(b.srid))
  if (waiting.length === 0) return
  const fresh = waiting.filter(({ course }) => !course)
  const bytes = fresh.length === 0 ? new Uint8Array() : await random.bytes('course', fresh.length * 4)
  const draws = new DataView(bytes.buffer, bytes.byteOffset)
  const places = new Map(fresh.map(({ srid }, i) => [srid, i * 4]))
  await store.transaction(async (tx) => {
    for (const { srid, createdAt } of waiting) {
      const request = await findRequest(tx, srid)
      const place = places.get(srid)
      if (!request || (request.course && place !== undefined)) continue
      const from = new Date(Math.max(since, Date.parse(createdAt))).toISOString()
      await keep(tx, { ...request, course: { ...(request.course ?? drawCourse(draws, place!)), from } })
    }
  })
}

function drawCourse(draws: DataView, place: number): Omit<Course, 'from'> {
  return {
    minutes: 1 + (draws.getUint16(place) % 240),
    chance: (['PARTS', 'LATE', 'CLOSED'] as const)[draws.getUint16(place + 2) % 10] ?? 'PLAIN',
  }
}

/** Gives whether more is due, since one transaction makes few moves. */
function advanceSome(ports: Ports, now: number): Promise<boolean> {
  return ports.store.transaction(async (tx) => {
    const centers = new Map((await tx.serviceCenters.find()).map((center) => [center.ascCode, center]))
    const due = new Map<string, { request: MovingRequest; move: Move; center: ServiceCenter | undefined }>()
    const look = (request: MovingRequest) => {
      const center = centers.get(request.ascCode ?? '')
      const move = nextMove(request, center)
      if (move && move.at <= now) due.set(request.srid, { request, move, center })
      else due.delete(request.srid)
    }
    for (const request of await findOpen(tx)) look(request)
    for (let i = 0; i < MOST_MOVES && due.size > 0; i++) {
      const { request, move, center } = [...due.values()].reduce((first, each) =>
        isBefore(each, first) ? each : first,
      )
      look(await makeMove(ports, tx, request, move, center))
    }
    return due.size > 0
  })
}

type Due = { request: MovingRequest; move: Move }
const isBefore = (a: Due, b: Due) =>
  a.move.at < b.move.at || (a.move.at === b.move.at && a.request.srid < b.request.srid)

const known = new WeakMap<MovingRequest, { center: unknown; move: Move | undefined }>()

/** Most requests have not moved since somebody asked last, so their next move is remembered. */
function nextMove(request: MovingRequest, center: ServiceCenter | undefined) {
  const kept = known.get(request)
  if (kept && kept.center === center) return kept.move
  const move = findNextMove(request, center)
  known.set(request, { center, move })
  return move
}

async function makeMove(
  ports: Ports,
  tx: Transaction,
  request: MovingRequest,
  { at: instant, name }: Move,
  center: ServiceCenter | undefined,
): Promise<MovingRequest> {
  const at = new Date(instant).toISOString()
  const moved = await movedBy(ports, tx, { ...request, updatedAt: at }, { name, at }, center)
  if (!moved) {
    // No slot is free for another appointment, so this request goes as most do.
    const plain = { ...request, course: { ...request.course!, chance: 'PLAIN' as const } }
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
  request: MovingRequest,
  { name, at }: { name: MoveName; at: string },
  center: ServiceCenter | undefined,
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
  const held = await findHeld(tx, request)
  if (!center || !held) return undefined
  const search = {
    center,
    kind: request.serviceType === 'CI' ? 'WI' : 'IH',
    held,
  } as const
  const isLate = name === 'TECHNICIAN_LATE'
  const found = isLate
    ? await findFreeWindow(tx, search, appointment.date, Date.parse(held.startsAt))
    : await findFreeWindowFrom(tx, search, addDays(appointment.date, 7))
  const before = 'previousAppointments' in request ? request.previousAppointments : []
  if (!found || before.length >= MAX_RESCHEDULES) return undefined
  const appointmentId = isLate ? appointment.appointmentId : newIdOf(ports, 'A', request)
  await tx.bookings.delete(held.appointmentId)
  await tx.bookings.put(toBooking(held, appointmentId, found))
  const { date, slot } = found
  const next = {
    ...appointment,
    appointmentId,
    date,
    startTime: slot.from,
    endTime: slot.to,
    status: 'CONFIRMED' as const,
  }
  const moved = { ...request, ...moveTo(request, 'E0002', at, name), appointment: next }
  if (isLate || !('previousAppointments' in moved)) return moved
  return { ...moved, previousAppointments: [...before, { ...appointment, status: 'RESCHEDULED' as const }] }
}

async function findHeld(tx: Transaction, { appointment }: MovingRequest): Promise<Booking | undefined> {
  return appointment && (await tx.bookings.get(appointment.appointmentId))
}

async function findRequest(tx: Transaction, srid: string): Promise<MovingRequest | undefined> {
  return (await tx.tickets.get(srid)) ?? tx.inStoreRequests.get(srid)
}

function keep(tx: Transaction, request: MovingRequest): Promise<void> {
  return request.serviceType === 'CI' ? tx.inStoreRequests.put(request) : tx.tickets.put(request)
}

/**
 * The id follows from the request and its place in the course, because a transaction may run more than once and must
 * draw nothing.
 */
function newIdOf({ digests }: Ports, prefix: string, { srid, history }: MovingRequest): string {
  return `${prefix}-${digests.sha256(`${prefix} ${srid} ${history.length}`).slice(0, 16).toUpperCase()}`
}

const words: Readonly<Record<MoveName, { subject: string; sentence: (time: string) => string }>> = {
  CONFIRMED: { subject: 'is confirmed', sentence: (time) => `Your appointment is confirmed: ${time}.` },
  CANCELLED_BY_VENDOR: {
    subject: 'is cancelled',
    sentence: (time) => `We are sorry: we had to cancel your appointment, ${time}. The request is closed.`,
  },
  TECHNICIAN_LATE: {
    subject: 'is delayed',
    sentence: (time) => `We are running late today. Your appointment is now: ${time}.`,
  },
  PARTS_ORDERED: {
    subject: 'waits for parts',
    sentence: (time) => `We have ordered parts for your product. Your next appointment: ${time}.`,
  },
  COMPLETED: { subject: 'is completed', sentence: (time) => `The service of ${time} is completed.` },
}

/** `request` stands as the move has left it. */
function toMoveMail(request: MovingRequest, move: MoveName, sentAt: string, messageId: string): OutboxMessage {
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
