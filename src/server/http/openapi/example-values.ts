import { listOfferedSlots } from '../../domain/appointments/slots.ts'
import type { SlotKind } from '../../domain/appointments/timetable.ts'
import { utcDate } from '../../../contract/records/local-times.ts'
import { addDays } from '../../domain/time.ts'
import type { Ports } from '../../ports.ts'
import { prefixOf } from '../addresses.ts'

/** The center that the examples book at, in-home and over the counter. */
const CENTER = 'ASC001'

/**
 * Values of examples in the place of `{{name}}`: the world that is asked, and slots that are free in it, so that an
 * example succeeds as it stands on any day.
 */
export async function findExampleValues(ports: Ports): Promise<Readonly<Record<string, string>>> {
  const { store, clock, world } = ports
  const now = clock.now()
  const center = await store.serviceCenters.get(CENTER)
  const tomorrow = { start: addDays(utcDate(now), 1), days: 14 }
  /** The first free slot of each day. */
  const findFree = async (kind: SlotKind) =>
    (center ? await listOfferedSlots(ports, center, kind, tomorrow, now) : []).flatMap(({ date, slots }) => {
      const free = slots.find(({ remaining }) => remaining > 0)
      return free ? [{ date, slotId: free.slotId, from: free.from }] : []
    })
  const [visit, later] = await findFree('IH')
  const [hour] = await findFree('WI')
  return {
    server: prefixOf(world.name) || '/',
    appointmentDate: visit?.date ?? tomorrow.start,
    timeSlot: visit?.slotId ?? 'none is free',
    laterDate: later?.date ?? tomorrow.start,
    laterSlot: later?.slotId ?? 'none is free',
    inStoreDate: hour?.date ?? tomorrow.start,
    inStoreTime: hour?.from ?? '10:00',
  }
}

/** The text with its values in place; they hold nothing that JSON would escape. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole)
}
