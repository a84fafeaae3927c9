import { scheduleOperations } from '#contract/documents/support/schedules.ts'
import { lookUpSchedule } from '../domain/appointments/schedules.ts'
import { implement } from './operation.ts'

export const schedules = implement(scheduleOperations, {
  16: async ({ ports, caller, query }) => lookUpSchedule(ports, caller, query),
  25: async ({ ports, caller, query }) => lookUpSchedule(ports, caller, query),
})
