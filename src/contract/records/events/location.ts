import * as z from 'zod'
import { locationId } from './access-token.ts'
import { idText, text, timeZone } from '../formats.ts'
import { deviceId } from './device.ts'

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

export const smartApp = z.object({
  appId: idText(64).meta({ description: 'ID of the application', example: 'app-lights' }),
  name: text(100),
})

export const installedApp = z.object({
  installedAppId: idText(64).meta({
    description: 'ID of the installed application',
    example: 'cccccccc-0000-4000-8000-000000000001',
  }),
  appId: smartApp.shape.appId,
  locationId,
  deviceIds: z.array(deviceId).max(1000),
})
