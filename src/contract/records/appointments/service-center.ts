import * as z from 'zod'
import { isoDate, phoneNumber, timeOfDay, timeZone } from '../formats.ts'

export const openingHours = z.object({
  /** 1 (Monday) to 7 (Sunday). The center is closed on days that are not listed. */
  dayOfWeek: z.int().min(1).max(7),
  open: timeOfDay,
  close: timeOfDay,
})

/** Values of `type` in the schedule query of document 1. */
export const visitType = z.enum(['PI', 'PII'])
export type VisitType = z.infer<typeof visitType>

export const weeklyHours = z.array(openingHours).max(70)
export const closedDates = z.array(isoDate).max(1000)

/** `capacity` is the number of visits that are possible in each window of a day. */
const inHomeService = z.object({
  radiusMiles: z.number().positive(),
  subTypes: z.array(z.string()).min(1).max(100),
  types: z.array(visitType).min(1).max(2).optional().describe('Types of visit. Default: both.'),
  outOfWarranty: z.boolean().optional().describe('Whether the center accepts out-of-warranty work. Default: true.'),
  capacity: z.object({ AM: z.int().min(1).max(30), PM: z.int().min(1).max(30) }),
})

/** The number of free places is computed from this record and the bookings. */
export const serviceCenter = z.object({
  ascCode: z.string().max(20),
  ascType: z.enum(['WALKIN', 'INHOME', 'MAILIN']),
  ascName: z.string(),
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

export const nearestCenter = z.object({
  distance: z.number().min(0).meta({ description: 'Distance in miles', example: 1.25 }),
  ascCode: z.string().meta({ example: 'ASC001' }),
  ascType: z.string().meta({ example: 'WALKIN' }),
  ascName: z.string(),
  zipCode: z.string(),
})
