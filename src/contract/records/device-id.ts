import * as z from 'zod'
import { matching } from './formats.ts'

export const DEVICE_ID_RULE =
  'must be an IMEI of 15 digits with a valid check digit, or a serial number of 11 or 15 letters and digits'

export const deviceId = z
  .string()
  .refine(isDeviceId, DEVICE_ID_RULE)
  .toUpperCase()
  .meta({ choice: 'device-id-form', description: 'Serial number, or IMEI with 15 digits', example: '490154203237518' })

export const serialNumber = deviceId.meta({
  description: 'Serial number with 11 or 15 letters and digits, or IMEI of a mobile device with 15 digits',
  example: '0TV55XYZ12A',
})

export const imei = matching(/^\d{15}$/, { error: 'must be an IMEI of 15 digits', abort: true })
  .refine(passesLuhn, 'must be an IMEI with a valid check digit (Luhn)')
  .meta({ choice: 'device-id-form', description: 'IMEI, only for mobile devices', example: '490154203237518' })

export function isImei(id: string): boolean {
  return /^\d{15}$/.test(id)
}

/** Document 1, product validation: only mobile devices have an IMEI. */
export function isMobile(subType: string): boolean {
  return ['PHONE', 'TABLET', 'WATCH'].includes(subType)
}

function isDeviceId(id: string): boolean {
  return isImei(id) ? passesLuhn(id) : /^([A-Z0-9]{11}|[A-Z0-9]{15})$/i.test(id)
}

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    const doubled = digit * 2
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
