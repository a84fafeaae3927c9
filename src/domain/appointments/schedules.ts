import type { Ports, View } from '../../ports.ts'
import type { Schedule } from '../../schemas/appointments/schedule.ts'
import type { ServiceCenter } from '../../schemas/appointments/service-center.ts'
import { DomainError, invalidInput } from '../errors.ts'
import { coversInHome, findInHomeCenter } from './service-centers.ts'
import { listOfferedSlots, type OfferedSlot } from './slots.ts'
import { localDate } from '../time.ts'

export interface ScheduleQuery {
  zipCode: string
  modelCode: string
  ascCode?: string | undefined
  subType?: string | undefined
}

/** The calling date of the centre, and thirteen days more: our choice. */
const DAYS = 14

/** Operations 16 and 25: the in-home windows of the centre that covers the zip code and the product, full ones too. */
export async function lookUpSchedule(
  ports: Pick<Ports, 'store' | 'clock' | 'zipCodes'>,
  query: ScheduleQuery,
): Promise<Schedule> {
  await assertSubType(ports.store, query.subType)
  const center = await findCenter(ports, query)
  if (!center) {
    const message = `schedule not found: no service center covers zip code ${query.zipCode} and ${query.modelCode}`
    throw new DomainError('not-found', message, { source: 'document 1, operations 16 and 25' })
  }
  const now = ports.clock.now()
  const window = { start: localDate(now, center.timeZone), days: DAYS }
  const days = await listOfferedSlots(ports.store, center, 'IH', window, now)
  return {
    zipCode: query.zipCode,
    ascCode: center.ascCode,
    ascName: center.ascName,
    timeZone: center.timeZone,
    schedules: days.map(({ date, slots }) => ({ date, timeSlots: slots.map(toTimeSlot) })),
  }
}

async function findCenter(
  ports: Pick<Ports, 'store' | 'zipCodes'>,
  { zipCode, modelCode, ascCode }: ScheduleQuery,
): Promise<ServiceCenter | undefined> {
  const place = ports.zipCodes.find(zipCode)
  const model = await ports.store.productModels.get(modelCode)
  if (!place || !model) return undefined
  if (ascCode === undefined) return findInHomeCenter(ports, place, model.subType)
  const center = await ports.store.serviceCenters.get(ascCode)
  return center && coversInHome(center, place, model.subType) ? center : undefined
}

/** Our choice: `subType` is checked and changes nothing else; the model says what the product is. */
async function assertSubType(store: Pick<View, 'productModels'>, subType: string | undefined): Promise<void> {
  if (subType === undefined || (await store.productModels.count({ subType })) > 0) return
  const message = `query.subType is ${subType}, which no product has`
  throw invalidInput([{ code: 'InvalidParameter', message, target: 'query.subType', source: 'our choice' }])
}

function toTimeSlot({ slotId, from, to, remaining }: OfferedSlot): Schedule['schedules'][number]['timeSlots'][number] {
  return { slotId, from, to, available: remaining > 0, remaining }
}
