import { calendarOperations } from '#contract/control/tickets.ts'
import { localDate } from '#contract/records/local-times.ts'
import { requireServiceCenter } from '../domain/appointments/service-centers.ts'
import { listBookedSlots } from '../domain/appointments/slots.ts'
import { addDays } from '../domain/time.ts'
import { implementControl } from './context.ts'

export const calendar = implementControl(calendarOperations, {
  listSlots: async ({ ports, params, query }) => {
    const { store, clock } = ports
    const center = await requireServiceCenter(store, params.ascCode)
    const from = query.from ?? localDate(clock.now(), center.timeZone)
    const dates = Array.from({ length: query.days }, (_, day) => addDays(from, day))
    const items = await listBookedSlots(ports, center, dates)
    return { dates, items, totalCount: items.length }
  },
})
