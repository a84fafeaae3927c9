import * as z from 'zod'

/** Maximum number of locations on a card: document 2, section 8. */
export const MAX_LOCATIONS = 10
const MAX_ENTRIES = 100

/** Maximum length of the locations as JSON, in characters. Longer locations cause a warning. */
export const MAX_LOCATIONS_LENGTH = 1024

/** The locations on a card: document 2, section 2, locations. */
export const cardLocation = z.object({
  lat: z.number().min(-90).max(90).optional().meta({ description: 'Latitude in degrees', example: 40.8543 }),
  lng: z.number().min(-180).max(180).optional().meta({ description: 'Longitude in degrees', example: -74.0201 }),
  address: z
    .string()
    .min(1)
    .meta({ description: 'Full address', example: '85 Main Street, Ridgefield Park, NJ 07660' }),
  name: z.string().min(1).meta({ description: 'Branch name', example: 'Ridgefield Park' }),
})

export const anyLocations = z.array(cardLocation)

export const locations = anyLocations
  .max(MAX_LOCATIONS)
  .describe(`At most ${MAX_LOCATIONS} locations. More than ${MAX_LOCATIONS_LENGTH} characters of JSON are a warning.`)

/** Additional information that a card shows: document 2, section 2, additional information. */
export const additionalInformation = z
  .object({
    count: z.int().min(0).meta({ description: 'Number of info entries', example: 1 }),
    info: z
      .array(
        z.object({
          title: z.string().min(1).meta({ description: 'Title of the entry', example: 'Opening hours' }),
          content: z
            .array(z.string())
            .max(MAX_ENTRIES)
            .meta({ description: 'Lines of the entry', example: ['Mon to Fri 9:00 to 18:00'] }),
        }),
      )
      .max(MAX_ENTRIES),
  })
  .describe('Additional information')

const WHOLE_NUMBER = 'must be a whole number, as text or as a number'

/** Document 2, section 2, classification, declares this field as a string but shows numbers. */
const personCount = z
  .union([z.string().regex(/^\d{1,9}$/, WHOLE_NUMBER), z.int().min(0)], WHOLE_NUMBER)
  .meta({ description: 'Number of persons', example: '2' })

export const classification = z
  .object({
    person: z
      .array(
        z.object({
          category: z.string().min(1).meta({ description: 'Category name', example: 'Adult' }),
          count: personCount,
        }),
      )
      .max(MAX_ENTRIES),
  })
  .describe('Classification by type of user')

/** Returns no entries if the list is too long, so that a long list causes only one error. */
export function entriesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) && value.length <= MAX_ENTRIES ? value : []
}
