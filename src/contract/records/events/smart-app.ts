import { z } from 'zod'
import { locationId } from './access-token.ts'
import { deviceId } from './device.ts'
import { text } from '../formats.ts'

export const smartApp = z.object({
  appId: text(64).meta({ description: 'Id of the application', example: 'app-lights' }),
  name: text(100),
})

export const installedApp = z.object({
  installedAppId: text(64).meta({
    description: 'Id of the installed application',
    example: 'cccccccc-0000-4000-8000-000000000001',
  }),
  appId: smartApp.shape.appId,
  locationId,
  deviceIds: z.array(deviceId).max(1000),
})
