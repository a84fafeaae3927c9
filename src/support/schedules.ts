import { z } from 'zod'
import { lookUpSchedule } from '../domain/appointments/schedules.ts'
import { flag } from '../http/input/parameters.ts'
import { modelCode } from '../schemas/formats.ts'
import { schedule } from '../schemas/appointments/schedule.ts'
import { zipCodeQuery } from '../schemas/guest/zip-code.ts'
import { operation, refusals, type SupportApp } from './operation.ts'

const SHAPE = 'document 1, section 4, schedule query'

/** Document 1, section 4, schedule query: of operations 16 and 25. */
export const scheduleSchema = {
  tags: ['Schedules'],
  querystring: z.object({
    zipCode: zipCodeQuery.default('07660'),
    modelCode: modelCode.default('VM-TV55'),
    inWarranty: flag.meta({ source: SHAPE }).default(true),
    ascCode: z.string().max(20).optional().meta({ description: 'Only this service center', example: 'ASC001' }),
    subType: z.string().max(40).optional().meta({ description: 'Product subtype', example: 'TV' }),
    isReschedule: flag.meta({ source: SHAPE }).default(false).meta({ description: 'Selects the reschedule flow' }),
    type: z.enum(['PI', 'PII']).meta({ source: SHAPE }).default('PI'),
  }),
  response: { 200: schedule, ...refusals(404) },
}

export function schedules(app: SupportApp): void {
  app.get('/stg/us/guest/schedule', {
    config: operation(25),
    schema: { ...scheduleSchema, summary: 'Look up in-home appointments' },
    handler: async ({ ports, query }) => lookUpSchedule(ports, query),
  })
}
