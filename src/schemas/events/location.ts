import { z } from 'zod'
import { locationId } from './access-token.ts'
import { timeZone } from '../formats.ts'

export const room = z.object({ roomId: z.string().min(1).max(64), name: z.string().min(1).max(100) })
export const hub = z.object({ hubId: z.string().min(1).max(64), name: z.string().min(1).max(100) })

/** A home, with its rooms and hubs. */
export const location = z.object({
  locationId,
  name: z.string().min(1).max(100),
  timeZone: timeZone.optional(),
  rooms: z.array(room).max(1000),
  hubs: z.array(hub).max(1000),
})
export type Location = z.infer<typeof location>
