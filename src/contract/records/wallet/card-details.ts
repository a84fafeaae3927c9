import * as z from 'zod'

/** Document 2, section 8 allows so many locations. */
export const MAX_LOCATIONS = 10
/** Our choice: of a longer list it is found that it is too long, and no entry is looked at. */
const MAX_ENTRIES = 100

/** Our choice: more characters of the locations, as a card carries them, are a warning. */
export const MAX_LOCATIONS_LENGTH = 1024

/** Document 2, section 2, locations. The ranges of coordinates are those of the earth. */
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
  .meta({ description: `Places, at most ${MAX_LOCATIONS}; more than ${MAX_LOCATIONS_LENGTH} characters are a warning` })

/** Document 2, section 2, additional information. */
export const additionalInformation = z
  .object({
    count: z.int().min(0).meta({ description: 'Number of info entries', example: 1 }),
    info: z
      .array(
        z.object({
          title: z.string().min(1).meta({ description: 'Title', example: 'Opening hours' }),
          content: z
            .array(z.string())
            .max(MAX_ENTRIES)
            .meta({ description: 'Content text', example: ['Mon to Fri 9:00 to 18:00'] }),
        }),
      )
      .max(MAX_ENTRIES),
  })
  .meta({ description: 'Additional information' })

const WHOLE_NUMBER = 'must be a whole number, as text or as a number'

/** Document 2, section 2, classification: the count is declared a string, and numeric values are shown. */
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
  .meta({ description: 'Kinds of persons' })

/** A list beyond every bound has one finding, and its entries are not looked at. */
export function entriesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) && value.length <= MAX_ENTRIES ? value : []
}
