import * as z from 'zod'
import { matching, timeZone } from '../formats.ts'

export const zipCode = matching(/^[0-9]{5}$/, 'must be a 5-digit US zip code').meta({
  description: 'US zip code, 5 digits',
  example: '07660',
})

/** The choice `zip-plus-four` decides about nine digits. */
export const zipCodeToLookUp = matching(/^[0-9]{5}(-[0-9]{4})?$/, {
  error: 'must be a 5-digit US zip code',
  abort: true,
}).meta({ description: 'US zip code, 5 digits', example: '07660', openapi: zipCode })

/** Our choice: only the first five digits of a 5+4 code count. */
export const zipCodeQuery = matching(/^[0-9]{5}(-[0-9]{4})?$/, 'must be a 5-digit US zip code, or 5+4 digits')
  .transform((value) => value.slice(0, 5))
  .meta({ description: 'US zip code, 5 digits; of 5+4 the first five count', example: '07660' })

/** Document 1, ZipcodeLookupResponse; the fields are our choice. */
export const zipCodeRecord = z.object({
  zipCode,
  city: z.string().min(1).meta({ description: 'The place the zip code is known by', example: 'Ridgefield Park' }),
  state: matching(/^[A-Z]{2}$/).meta({
    description: 'State, territory or armed forces region, two letters',
    example: 'NJ',
  }),
  stateName: z.string().min(1).meta({ description: 'Its name', example: 'New Jersey' }),
  county: z.string().meta({ description: 'Empty in most territories and for military mail', example: 'Bergen' }),
  country: z.literal('US').meta({ description: 'Always US', example: 'US' }),
  lat: z.number().min(-90).max(90).meta({ description: 'Degrees north', example: 40.8562 }),
  lng: z.number().min(-180).max(180).meta({ description: 'Degrees east', example: -74.023 }),
  timeZone: timeZone.meta({ description: 'IANA name of the time zone', example: 'America/New_York' }),
})
export type ZipCodeRecord = z.infer<typeof zipCodeRecord>
