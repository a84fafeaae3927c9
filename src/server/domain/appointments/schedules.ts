import type { Ports } from '#server/ports.ts'
import type { View } from '#server/ports/store.ts'
import { DEFAULT_MODEL, type Schedule } from '#contract/records/appointments/schedule.ts'
import type { Source } from '#contract/rules.ts'
import { DomainError, type Finding, finding } from '../errors.ts'
import type { Identity } from '../identity.ts'
import { isOpen } from '../progress.ts'
import { localDate } from '#contract/records/local-times.ts'
import { findVisitingCenter } from './service-centers.ts'
import { IN_HOME_DAYS, listOfferedSlots, type OfferedSlot } from './slots.ts'

export interface ScheduleQuery {
  zipCode: string
  /** Without a model code, `subType` selects the product. Without both, the default model is used. */
  modelCode?: string | undefined
  inWarranty: boolean
  ascCode?: string | undefined
  subType?: string | undefined
  isReschedule: boolean
  type: string
}

/** Operations 16 and 25. Includes full windows. With `isReschedule`, the caller's own windows count as available. */
export async function lookUpSchedule(
  ports: Ports,
  caller: Identity,
  { zipCode, ascCode, type, inWarranty, isReschedule, ...product }: ScheduleQuery,
): Promise<Schedule> {
  const place = ports.zipCodes.find(zipCode)
  const subType = await findSubType(ports.store, product)
  const visit = place && subType ? { place, subType, type, inWarranty } : undefined
  const center = visit && (await findVisitingCenter(ports, visit, ascCode))
  if (!center) {
    const source = 'document 1, operations 16 and 25'
    const findings = [whyNotScheduled({ zipCode, ascCode, ...product }, place !== undefined, subType, source)]
    throw new DomainError('not-found', 'schedule not found', { source, findings })
  }
  const now = ports.clock.now()
  const window = { start: localDate(now, center.timeZone), days: IN_HOME_DAYS }
  const days = await listOfferedSlots(ports, center, 'IH', window, now)
  // An overbooked window is still full after one booking has been released, so operation 9 would reject it.
  const full = isReschedule ? days.flatMap(({ slots }) => slots.filter(({ remaining }) => remaining === 0)) : []
  const own = await findOwn(ports.store, caller, full)
  return {
    zipCode,
    ascCode: center.ascCode,
    ascName: center.ascName,
    timeZone: center.timeZone,
    schedules: days.map(({ date, slots }) => ({
      date,
      slots: slots.map(({ slotId, startTime, endTime, remaining }) => {
        const ownRequests = own.get(slotId)
        const available = remaining > 0 || ownRequests !== undefined
        return { slotId, startTime, endTime, available, remaining: Math.max(0, remaining), ownRequests }
      }),
    })),
  }
}

/** The document prescribes the message of the error, so the reason is a finding. */
function whyNotScheduled(
  { zipCode, modelCode, ascCode, ...query }: Pick<ScheduleQuery, 'zipCode' | 'modelCode' | 'ascCode' | 'subType'>,
  isInUse: boolean,
  subType: string | undefined,
  source: Source,
): Finding {
  const because = (name: string, reason: string) => finding(`query.${name}`, reason, { source })
  if (!isInUse) return because('zipCode', `${zipCode} is not in use`)
  if (subType === undefined) {
    const reason = query.subType === undefined ? 'does not exist' : `is not of subType ${query.subType}`
    return because('modelCode', `${modelCode} ${reason}`)
  }
  if (ascCode === undefined) return because('zipCode', `${zipCode} has no center that makes this visit for ${subType}`)
  return because('ascCode', `${ascCode} is not a center that makes this visit to ${zipCode} for ${subType}`)
}

async function findSubType(
  { productModels }: View,
  { modelCode, subType }: Pick<ScheduleQuery, 'modelCode' | 'subType'>,
): Promise<string | undefined> {
  if (modelCode === undefined && subType !== undefined) return subType
  const model = await productModels.get(modelCode ?? DEFAULT_MODEL)
  return subType === undefined || subType === model?.subType ? model?.subType : undefined
}

/** Returns the IDs of the caller's booked requests by slot. For a dealer, these are the open tickets of the company. */
async function findOwn(
  { bookings, tickets, profiles }: View,
  { userId }: Identity,
  slots: readonly OfferedSlot[],
): Promise<ReadonlyMap<string, string[]>> {
  const own = new Map<string, string[]>()
  if (slots.length === 0 || userId === undefined) return own
  const companyId = (await profiles.get(userId))?.companyId
  const held = await bookings.find({ where: { slotId: slots.map(({ slotId }) => slotId) } })
  for (const { slotId, holder, srid, appointmentId } of held) {
    const ticket = companyId ? await tickets.get(srid) : undefined
    const isReleased = ticket && isOpen(ticket) && ticket.appointment?.appointmentId === appointmentId
    const isOwn = companyId ? isReleased && ticket.companyId === companyId : holder === userId
    if (isOwn) own.set(slotId, [...(own.get(slotId) ?? []), srid])
  }
  return own
}
