import * as z from 'zod'
import { matching, timeZone } from '../formats.ts'

export const zipCode = matching(/^[0-9]{5}$/, 'must be a 5-digit US zip code').meta({
  description: 'US ZIP code with 5 digits',
  example: '07660',
})

/** The pattern includes nine digits, because the choice `zip-plus-four` may allow them. */
export const zipCodeToLookUp = matching(/^[0-9]{5}(-[0-9]{4})?$/, {
  error: 'must be a 5-digit US zip code',
  abort: true,
}).meta({ description: 'US ZIP code with 5 digits', example: '07660', openapi: zipCode })

export const zipCodeQuery = matching(/^[0-9]{5}(-[0-9]{4})?$/, 'must be a 5-digit US zip code, or 5+4 digits')
  .transform((value) => value.slice(0, 5))
  .meta({
    description: 'US ZIP code with 5 digits. Only the first five digits of a 5+4 code are used.',
    example: '07660',
  })

/** The data of a ZIP code: document 1, ZipcodeLookupResponse. The document does not show its fields. */
export const zipCodeRecord = z.object({
  zipCode,
  city: z.string().min(1).meta({ description: 'City', example: 'Ridgefield Park' }),
  state: matching(/^[A-Z]{2}$/).meta({
    description: 'Two-letter code of the state, territory or armed forces region',
    example: 'NJ',
  }),
  stateName: z.string().min(1).meta({ description: 'Name of the state', example: 'New Jersey' }),
  county: z
    .string()
    .meta({ description: 'County. Empty in most territories and for military mail.', example: 'Bergen' }),
  country: z.literal('US').meta({ description: 'Country, always US', example: 'US' }),
  lat: z.number().min(-90).max(90).meta({ description: 'Latitude in degrees', example: 40.8562 }),
  lng: z.number().min(-180).max(180).meta({ description: 'Longitude in degrees', example: -74.023 }),
  timeZone: timeZone.meta({ description: 'Time zone (IANA name)', example: 'America/New_York' }),
})
export type ZipCodeRecord = z.infer<typeof zipCodeRecord>
