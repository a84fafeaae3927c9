import { type SlotKind, listOfferedSlots } from '#server/domain/appointments/slots.ts'
import { utcDate } from '#contract/records/local-times.ts'
import { addDays } from '#server/domain/time.ts'
import type { Ports } from '#server/ports.ts'
import { prefixOf } from '../addresses.ts'

const CENTER = 'ASC001'

/** Depends on the world and its free slots, so that an example succeeds on any day. */
export async function findExampleValues(ports: Ports): Promise<Readonly<Record<string, string>>> {
  const { store, clock, world } = ports
  const now = clock.now()
  const center = await store.serviceCenters.get(CENTER)
  const tomorrow = { start: addDays(utcDate(now), 1), days: 14 }
  const findFree = async (kind: SlotKind) =>
    (center ? await listOfferedSlots(ports, center, kind, tomorrow, now) : []).flatMap(({ date, slots }) => {
      const free = slots.find(({ remaining }) => remaining > 0)
      return free ? [{ date, slotId: free.slotId, startTime: free.startTime }] : []
    })
  const [visit, later] = await findFree('IH')
  const [hour] = await findFree('WI')
  return {
    // The path of PUBLIC_URL, because a proxy may remove a path prefix.
    server: new URL((world.publicUrl ?? 'http://server') + prefixOf(world.name)).pathname,
    appointmentDate: visit?.date ?? tomorrow.start,
    timeSlot: visit?.slotId ?? 'none is free',
    laterDate: later?.date ?? tomorrow.start,
    laterSlot: later?.slotId ?? 'none is free',
    inStoreDate: hour?.date ?? tomorrow.start,
    inStoreTime: hour?.startTime ?? '10:00',
  }
}

export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole)
}
