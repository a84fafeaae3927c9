import * as z from 'zod'
import { phoneNumber, timeZone } from '../formats.ts'
import { closedDates, weeklyHours } from '../appointments/service-center.ts'
import { numberedPage } from '../item-wrapper.ts'

/** A store in the response of operation 17 of document 1. */
export const storeLocation = z.object({
  storeId: z.string(),
  storeNumber: z.string(),
  storeName: z.string(),
  storePhone: phoneNumber,
  companyId: z.string(),
  address1: z.string(),
  city: z.string(),
  state: z.string().length(2),
  zipCode: z.string().length(5),
  lat: z.number(),
  lng: z.number(),
  timeZone,
  ascCode: z.string().optional(),
  ascType: z.string().optional(),
  hours: weeklyHours,
  closedDates: closedDates.describe('Days on which the store is closed, including holidays'),
  services: z.array(z.string().meta({ mayGrow: true })).max(100),
})
export type StoreLocation = z.infer<typeof storeLocation>
/** All fields are optional, because the parameter `fields` selects the fields that are returned. */
export const storeList = numberedPage(storeLocation.partial())

export const storeOrders = ['storeName', 'storeNumber', 'storeId', 'city', 'state', 'zipCode'] as const

export type StoreField = keyof StoreLocation
export const storeFields = Object.keys(storeLocation.shape) as StoreField[]

const scalars = storeLocation.omit({ hours: true, closedDates: true, services: true }).shape
export const storeSortFields = Object.keys(scalars) as (keyof typeof scalars)[]
export type StoreSortField = (typeof storeSortFields)[number]
