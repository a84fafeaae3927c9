import * as z from 'zod'
import { isCountryCode } from '../country-codes.ts'
import { text } from '../formats.ts'

const MAX_PARTNER_CODE = 32

export const partner = z.object({
  partnerCode: text(MAX_PARTNER_CODE).meta({ example: 'partner-1001' }),
  name: z.string().min(1),
})

export const deviceModel = z.object({
  modelName: text(64).meta({ example: 'VM-S100' }),
  deviceName: z.string().min(1),
  available: z.boolean(),
  supportKR: z.boolean(),
})

export const availabilityHeaders = z.object({
  partnerCode: partner.shape.partnerCode.describe('Partner code or ID from the partner system'),
})

/** Document 2, section 4. The document does not specify the maximum lengths or the values of `countryCode`. */
export const availabilityQuery = z.object({
  modelName: deviceModel.shape.modelName.describe('Device model name'),
  serviceType: z.literal('WALLET').describe('Always WALLET'),
  countryCode: z
    .string()
    .refine(isCountryCode, 'must be an ISO 3166 alpha-2 code')
    .optional()
    .meta({ description: 'Country code (ISO 3166-1 alpha-2)', example: 'US' }),
})

export const availabilityRequest = z.object({ ...availabilityHeaders.shape, ...availabilityQuery.shape })
export type AvailabilityRequest = z.infer<typeof availabilityRequest>

/** Response body: document 2, section 2, device availability response body. */
export const availability = z.object({
  resultCode: z.string().meta({ description: 'Result code, 0 on success', example: '0' }),
  resultMessage: z.string().meta({ description: 'Result message', example: 'SUCCESS' }),
  available: z.boolean().describe('Whether the service is available for the device'),
  supportKR: z.boolean().describe('Whether the service in Korea (KR) supports the device'),
})

export const walletError = availability.pick({ resultCode: true, resultMessage: true })
