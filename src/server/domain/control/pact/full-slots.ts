import type { Ports } from '../../../ports.ts'
import { slotsOfDay } from '../../appointments/timetable.ts'
import { finding, invalidInput } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { newRequestIds } from '../../request-ids.ts'

/** Both walk-in and in-home slots that begin at the local time are filled. */
export async function fillSlot(ports: Ports, { ascCode, date, time }: { ascCode: string; date: string; time: string }) {
  const center = await ports.store.serviceCenters.get(ascCode)
  const kinds = ['WI', 'IH'] as const
  const slots = center ? kinds.flatMap((kind) => slotsOfDay(center, kind, date)) : []
  const wanted = slots.filter(({ from }) => from === time)
  if (wanted.length === 0) {
    throw invalidInput([
      finding('body.state', `names ${date} ${time} at ${ascCode}, where there is no slot`, {
        source: 'our choice: control-refusals',
      }),
    ])
  }
  for (const { slotId, capacity, startsAt, endsAt } of wanted) {
    for (let i = 0; i < capacity; i++) {
      const appointmentId = await newId(ports.random, 'appointment', 'A')
      const [srid = ''] = (await newRequestIds(ports.random)).srids
      const instants = { startsAt: new Date(startsAt).toISOString(), endsAt: new Date(endsAt).toISOString() }
      const booking = { appointmentId, srid, ascCode, slotId, date, ...instants, holder: `pact:${appointmentId}` }
      await ports.store.transaction(async (tx) => {
        if ((await tx.bookings.count({ slotId })) < capacity) await tx.bookings.put(booking)
      })
    }
  }
}
