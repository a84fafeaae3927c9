import * as z from 'zod'
import { isoDate, phoneNumber, timeOfDay, timeZone } from '../formats.ts'

export const openingHours = z.object({
  /** 1 Monday to 7 Sunday, as ISO 8601 counts; a day left out is closed. */
  dayOfWeek: z.int().min(1).max(7),
  open: timeOfDay,
  close: timeOfDay,
})

/** Document 1, schedule query, `type`: the two kinds of visit it names. */
export const visitType = z.enum(['PI', 'PII'])
export type VisitType = z.infer<typeof visitType>

/** A day may have several opening times. */
export const weeklyHours = z.array(openingHours).max(70)
export const closedDates = z.array(isoDate).max(1000)

/** Technicians go no further than the radius; each window takes so many visits a day. */
const inHomeService = z.object({
  radiusMiles: z.number().positive(),
  subTypes: z.array(z.string()).min(1).max(100),
  types: z.array(visitType).min(1).max(2).optional().meta({ description: 'Kinds of visit; both when absent' }),
  outOfWarranty: z.boolean().optional().meta({ description: 'Whether it takes work out of warranty; absent: it does' }),
  capacity: z.object({ AM: z.int().min(1).max(30), PM: z.int().min(1).max(30) }),
})

/** Free places are computed from this and the bookings, and never stored. */
export const serviceCenter = z.object({
  ascCode: z.string().max(20),
  ascType: z.enum(['WALKIN', 'INHOME', 'MAILIN']),
  ascName: z.string(),
  /** The store keeps E.164, however a fixture or the control API writes it. */
  phoneNumber,
  address1: z.string(),
  city: z.string(),
  state: z.string().length(2),
  zipCode: z.string().length(5),
  lat: z.number().min(-90).max(90),
  lng: z.number().min(-180).max(180),
  timeZone,
  hours: weeklyHours,
  closedDates,
  slotMinutes: z.int().min(10).max(240),
  slotCapacity: z.int().min(1).max(30),
  subTypes: z.array(z.string()).max(100),
  inHome: inHomeService.optional(),
})
export type ServiceCenter = z.infer<typeof serviceCenter>

/** Reply of operation 36. */
export const nearestCenter = z.object({
  distance: z.number().min(0).meta({ description: 'Miles', example: 1.25 }),
  ascCode: z.string().meta({ example: 'ASC001' }),
  ascType: z.string().meta({ example: 'WALKIN' }),
  ascName: z.string(),
  zipCode: z.string(),
})
