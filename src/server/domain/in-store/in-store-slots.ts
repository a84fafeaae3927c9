import type { Ports } from '#server/ports.ts'
import type { View } from '#server/ports/store.ts'
import type { InStoreSchedule } from '#contract/records/appointments/schedule.ts'
import type { ServiceCenter } from '#contract/records/appointments/service-center.ts'
import { type DomainError, type Finding, finding, invalidInput, notFound } from '../errors.ts'
import { requireServiceCenter } from '../appointments/service-centers.ts'
import { IN_STORE_DAYS, listOfferedSlots } from '../appointments/slots.ts'
import type { Filters } from '../paging.ts'
import { localDate } from '#contract/records/local-times.ts'
import { addDays, daysBetween } from '../time.ts'

export interface InStoreSlotsQuery extends Filters<'start' | 'end' | 'zipCode'> {
  ascType: string
  ascCode: string
  symptoms?: readonly string[] | undefined
}

/** Document 1, section 8: the default window is two weeks from `start`. */
const DEFAULT_DAYS = 14
const MAX_DAYS = 31
const LAST_DATE = '9999-12-31'

interface Window {
  start: string
  end: string
}

/** Operation 37: by day, without full slots. The window includes its first and last day. */
export async function listInStoreSlots(ports: Ports, query: InStoreSlotsQuery): Promise<InStoreSchedule> {
  const { start, end, ascType, ascCode } = query
  const rejects = ports.world.choices['unusable-values'] === 'reject'
  if (start) toWindow(start, end, rejects)
  if (rejects) await assertUsable(ports, query)
  const center = await requireCenterOfType(ports, ascCode, ascType)
  const now = ports.clock.now()
  // Document 1, section 4, rule 4: the default of `start` is the current date in the time zone of the center.
  const today = localDate(now, center.timeZone)
  const asked = toWindow(start ?? today, end, rejects)
  const last = addDays(today, IN_STORE_DAYS)
  const window = rejects || asked.end <= last ? asked : { ...asked, end: asked.start > last ? asked.start : last }
  const days = await listOfferedSlots(ports, center, 'WI', timeBefore(now, center, window), now)
  const schedule = days
    .map(({ date, slots }) => ({ date, slots: slots.filter(({ remaining }) => remaining > 0) }))
    .filter(({ slots }) => slots.length > 0)
    .map(({ date, slots }) => ({
      date,
      slots: slots.map(({ startTime, endTime, capacity, remaining }) => ({ startTime, endTime, capacity, remaining })),
    }))
  return { ascCode, ascType, timeZone: center.timeZone, ...window, schedule }
}

/** Our choice: the ZIP code and symptoms do not affect the result, but they must exist, as in operation 33. */
async function assertUsable({ store, zipCodes }: Ports, { zipCode, symptoms = [] }: InStoreSlotsQuery): Promise<void> {
  const findings: Finding[] = []
  const add = (target: string, rule: string) =>
    findings.push(finding(target, rule, { source: 'our choice: slot-parameters' }))
  if (zipCode !== undefined && !zipCodes.find(zipCode)) add('query.zipCode', 'is a zip code that is not in use')
  for (const [i, symptomId] of symptoms.entries()) {
    const known = await store.inStoreSymptoms.get(symptomId)
    if (!known) add(`query.symptoms[${i}]`, 'is not listed by GET /stg/us/instore/noauth/symptoms')
  }
  if (findings.length > 0) throw invalidInput(findings)
}

/** An unknown center and a center of another type both return 404. */
export async function requireCenterOfType(
  ports: { store: View },
  ascCode: string,
  ascType: string,
): Promise<ServiceCenter> {
  const center = await requireServiceCenter(ports.store, ascCode)
  if (center.ascType === ascType) return center
  throw notFound(`service center ${ascCode} of type ${ascType} does not exist`, 'our choice: slot-center')
}

function toWindow(start: string, end: string | undefined, isBounded: boolean): Window {
  if (end === undefined && daysBetween(start, LAST_DATE) < DEFAULT_DAYS) throw badWindow('query.start', 'is too late')
  const window = { start, end: end ?? addDays(start, DEFAULT_DAYS) }
  const days = daysBetween(window.start, window.end)
  if (days < 0) throw badWindow('query.end', `is before the start, ${start}`)
  if (isBounded && days > MAX_DAYS)
    throw badWindow('query.end', `is ${days} days after the start; a window can have at most ${MAX_DAYS} days`)
  return window
}

function badWindow(target: string, rule: string): DomainError {
  return invalidInput([finding(target, rule, { source: 'our choice: slot-window' })])
}

/** Past days are never offered, even if the window starts before today. */
function timeBefore(now: number, { timeZone }: ServiceCenter, { start, end }: Window): { start: string; days: number } {
  const today = localDate(now, timeZone)
  const first = start > today ? start : today
  return { start: first, days: Math.max(0, daysBetween(first, end) + 1) }
}
