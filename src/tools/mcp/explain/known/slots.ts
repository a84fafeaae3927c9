import type { WorldClient } from '../../../control-client/world-client.ts'
import { type Call, exampleOf, type Query } from '../../calls/call.ts'
import { requireOperation } from '../../calls/operations.ts'
import { send } from '../../calls/outcome.ts'
import { fieldOf } from '../call-places.ts'
import { findRecord } from './records.ts'

export interface Slot {
  /** Slots are ordered by this date and time of day. */
  at: string
  told: string
  take: (call: Call) => Call
}

export const slotFields: ReadonlySet<string> = new Set(['body.appointmentDate', 'body.timeSlot', 'body.startTime'])

interface Window {
  slotId?: string
  from?: string
  startTime?: string
  available?: boolean
  remaining?: number
}
interface Listing {
  ascCode?: string
  schedules?: { date: string; timeSlots: Window[] }[]
  schedule?: { date: string; slots: Window[] }[]
}

/** The vendor's own operation lists the slots: first from the wanted instant on, then those before. */
export async function findSlots(fork: WorldClient, call: Call): Promise<Slot[]> {
  const slots = call.operation?.operation === 33 ? await listInStore(fork, call) : await listInHome(fork, call)
  const asked = askedFor(call)
  const behind = slots.filter(({ at }) => at >= asked)
  return [...behind, ...slots.filter(({ at }) => at < asked).toReversed()]
}

function askedFor(call: Call): string {
  const given = fieldOf(call, 'appointmentDate') ?? ''
  const date = /^\d{4}-\d\d-\d\d$/.test(given) ? given : ''
  const slot = fieldOf(call, 'timeSlot') ?? ''
  return `${date} ${fieldOf(call, 'startTime') ?? (slot.endsWith('PM') ? '12:00' : '00:00')}`
}

/** Operation 16 needs the center and the product count, which an existing ticket already has. */
async function listInHome(fork: WorldClient, call: Call): Promise<Slot[]> {
  const ticket = await findRecord(fork, 'tickets', fieldOf(call, 'srid') ?? '')
  const customer = await findRecord(fork, 'customers', String(ticket?.bpNo ?? fieldOf(call, 'bpNo') ?? ''))
  const named = {
    ascCode: ticket?.ascCode ?? fieldOf(call, 'ascCode'),
    modelCode: ticket?.modelCode ?? fieldOf(call, 'modelCode'),
  }
  const query = toQuery({ ...named, zipCode: customer?.zipCode, isReschedule: ticket && 'true' })
  const { ascCode: _, ...anywhere } = query
  const { ascCode, schedules = [] } = (await ask(fork, call, 16, query)) ?? (await ask(fork, call, 16, anywhere)) ?? {}
  return schedules.flatMap(({ date, timeSlots }) =>
    timeSlots
      .filter(
        ({ available, remaining = 0, slotId }) => available && remaining > 0 && slotId !== fieldOf(call, 'timeSlot'),
      )
      .map(({ slotId = '', from, remaining }) => ({
        at: `${date} ${from}`,
        told: `the next free slot is ${slotId}, ${date} from ${from}, with ${remaining} left`,
        take: (each: Call) =>
          withFields(each, { appointmentDate: date, timeSlot: slotId, ...(!ticket && ascCode && { ascCode }) }),
      })),
  )
}

async function listInStore(fork: WorldClient, call: Call): Promise<Slot[]> {
  const { ascType, ascCode } = exampleOf(requireOperation(37)).query ?? {}
  const named = { ascType: fieldOf(call, 'ascType') ?? ascType, ascCode: fieldOf(call, 'ascCode') ?? ascCode }
  const date = fieldOf(call, 'appointmentDate')
  const later = date === undefined ? undefined : await ask(fork, call, 37, toQuery({ ...named, start: date }))
  const { schedule = [] } = (later?.schedule?.length ? later : await ask(fork, call, 37, toQuery(named))) ?? {}
  return schedule.flatMap((day) =>
    day.slots
      .filter(({ remaining = 0 }) => remaining > 0)
      .map(({ startTime = '', remaining }) => ({
        at: `${day.date} ${startTime}`,
        told: `the next free slot is ${day.date} at ${startTime}, with ${remaining} left`,
        take: (each: Call) => withFields(each, { appointmentDate: day.date, startTime }),
      })),
  )
}

function toQuery(given: Readonly<Record<string, unknown>>): Query {
  return Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])))
}

/** The same caller asks, so that the slots are those that the booking may take. */
async function ask(fork: WorldClient, { headers }: Call, number: number, query: Query): Promise<Listing | undefined> {
  const operation = requireOperation(number)
  const { method, path } = operation
  const { 'content-type': _, ...own } = headers
  const reply = await send(fork, { operation, method, path, params: {}, query, headers: own, body: undefined })
  return reply.passed ? (reply.body as Listing) : undefined
}

function withFields(call: Call, fields: Readonly<Record<string, string>>): Call {
  return { ...call, body: { ...(call.body as object | undefined), ...fields } }
}
