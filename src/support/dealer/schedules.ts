import { lookUpSchedule } from '../../domain/appointments/schedules.ts'
import { operation, type SupportApp } from '../operation.ts'
import { scheduleSchema } from '../schedules.ts'

export function dealerSchedules(app: SupportApp): void {
  app.get('/stg/us/dealer/schedule', {
    config: operation(16),
    schema: { ...scheduleSchema, tags: ['Dealer Portal'], summary: 'Look up in-home appointments for a dealer' },
    handler: async ({ ports, identity, query }) => lookUpSchedule(ports, identity, query),
  })
}
