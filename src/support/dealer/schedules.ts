import { lookUpSchedule } from '../../domain/appointments/schedules.ts'
import { dealerOperation } from '../operation.ts'
import { scheduleLookup } from '../schedules.ts'

export const dealerSchedules = [
  dealerOperation({
    ...scheduleLookup,
    operation: 16,
    path: '/stg/us/dealer/schedule',
    tag: 'Dealer Portal',
    summary: 'Look up in-home appointments for a dealer',
    run: async ({ ports, caller, query }) => lookUpSchedule(ports, caller, query),
  }),
]
