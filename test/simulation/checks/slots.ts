import { START } from '../environment/scheduler.ts'
import { CENTER, DAYS, SLOT_CAPACITY, VISIT_CAPACITY } from '../environment/small-world.ts'
import { codeOf, type Reply } from './reply.ts'
import type { Run } from './run.ts'
import { violated } from './span.ts'
import type { Request, WorldModel, WorldState } from './world-model.ts'

const HOUR = 3_600_000

/**
 * `ZONE_HOURS` is the number of hours between UTC and New York in May. `NOTICE` is how long before its start a slot is
 * no longer offered.
 */
const ZONE_HOURS = 4
export const NOTICE = HOUR
/** Milliseconds after the end of an unconfirmed appointment at which its request is closed. */
const OPEN_AFTER_END = 24 * HOUR

export function startOf(slotId: string): number {
  const [, , day = '', time = ''] = slotId.split('-')
  const hours = time === 'AM' ? 8 : time === 'PM' ? 13 : Number(time.slice(0, 2))
  const date = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`
  return Date.parse(`${date}T00:00:00Z`) + (hours + ZONE_HOURS) * HOUR
}

export function capacityOf(slotId: string): number {
  if (slotId.includes('-WI-')) return SLOT_CAPACITY
  return slotId.endsWith('AM') ? VISIT_CAPACITY.AM : VISIT_CAPACITY.PM
}

export const visitSlots = DAYS.flatMap((day) =>
  (['AM', 'PM'] as const).map((half) => `${CENTER}-IH-${day.replaceAll('-', '')}-${half}`),
)

export function lapseOf(slotId: string): number {
  return startOf(slotId) + OPEN_AFTER_END
}

/** Returns whether the clock of the world may have been at or after this time. */
export function mayBeAfter({ run }: { run: Run }, { ahead }: WorldModel, instant: number): boolean {
  return START + run.scheduler.now + ahead >= instant
}

export function slotsIn(requests: readonly Request[], slotId: string) {
  return requests.flatMap((request) =>
    request.places.filter((each) => each.slotId === slotId).map(({ span }) => ({ request, span })),
  )
}

/** Guarantee 2: bookings never exceed the capacity, and a holder never has two bookings at the same time. */
export function assertCapacity(model: WorldModel, slotId: string, tick: number): void {
  const held = slotsIn(model.requests, slotId).filter(({ span }) => span.isSure(tick))
  if (held.length > capacityOf(slotId))
    violated('2 capacity is exact', `${held.length} places of ${slotId} in ${model.name}`)
  const holders = held.map(({ request }) => request.holder)
  if (new Set(holders).size < holders.length)
    violated('2 one place at a time', `${slotId} in ${model.name}: ${holders}`)
}

export function assertOneOpen(model: WorldModel, owner: string, tick: number): void {
  const open = model.requests.filter((each) => each.isCounted && each.owner === owner && each.open.isSure(tick))
  if (open.length > 1) violated('2 one open request', `${open.map(({ srid }) => srid)} of ${owner} in ${model.name}`)
}

/**
 * Returns whether the slot may have been full or over, or whether its holder may have had another booking at that time.
 * The server rejects such a slot.
 */
export function mayRejectSlot(
  context: { run: Run; world: WorldState },
  others: readonly Request[],
  { slotId, holder }: { slotId: string; holder: string },
  reply: Reply,
): boolean {
  const held = slotsIn(others, slotId).filter(({ span }) => span.wasPossible(reply))
  if (codeOf(reply) !== 'SlotUnavailable') {
    return codeOf(reply) === 'ConflictError' && held.some(({ request }) => request.holder === holder)
  }
  return held.length >= capacityOf(slotId) || mayBeAfter(context, context.world.model, startOf(slotId) - NOTICE)
}
