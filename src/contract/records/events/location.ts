import { z } from 'zod'
import { locationId } from './access-token.ts'
import { text, timeZone } from '../formats.ts'

export const room = z.object({ roomId: text(64), name: text(100) })
export const hub = z.object({ hubId: text(64), name: text(100) })

export const location = z.object({
  locationId,
  name: text(100),
  timeZone: timeZone.optional(),
  rooms: z.array(room).max(1000),
  hubs: z.array(hub).max(1000),
})
export type Location = z.infer<typeof location>
