import { z } from 'zod'
import { slotPage } from '../records/appointments/schedule.ts'
import { isoDate } from '../records/formats.ts'
import { int32 } from '../records/parameters.ts'
import { defineControl } from './define.ts'

export const calendarOperations = defineControl('Tickets', {
  listSlots: {
    summary: "Every slot of a service centre's days, offered or over, with its bookings",
    params: z.object({ ascCode: z.string().meta({ example: 'ASC001' }) }),
    query: z.object({
      from: isoDate.optional().meta({ description: "The centre's today unless told" }),
      days: int32(1, 31).default(7),
    }),
    reply: slotPage,
    further: [400, 404],
  },
})
