import { z } from 'zod'
import { listBookedSlots } from '../domain/appointments/slots.ts'
import { requireServiceCenter } from '../domain/appointments/service-centers.ts'
import { localDate } from '../../contract/records/local-times.ts'
import { addDays } from '../domain/time.ts'
import { int32 } from '../../contract/records/parameters.ts'
import { slotPage } from '../../contract/records/appointments/schedule.ts'
import { isoDate } from '../../contract/records/formats.ts'
import { controlOperations } from './context.ts'

const declare = controlOperations('Tickets')

export const calendar = [
  declare({
    operation: 'listSlots',
    route: 'GET /_control/service-centers/:ascCode/slots',
    summary: "Every slot of a service centre's days, offered or over, with its bookings",
    params: z.object({ ascCode: z.string().meta({ example: 'ASC001' }) }),
    query: z.object({
      from: isoDate.optional().meta({ description: "The centre's today unless told" }),
      days: int32(1, 31).default(7),
    }),
    reply: slotPage,
    further: [400, 404],
    run: async ({ ports: { store, clock }, params, query }) => {
      const center = await requireServiceCenter(store, params.ascCode)
      const from = query.from ?? localDate(clock.now(), center.timeZone)
      const dates = Array.from({ length: query.days }, (_, day) => addDays(from, day))
      const items = await listBookedSlots(store, center, dates)
      return { dates, items, totalCount: items.length }
    },
  }),
]
