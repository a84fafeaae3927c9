import { z } from 'zod'

/** Our choice: the value identifies a record in another system of the vendor, so any text is taken. */
export const sc4uObjectId = z.string().optional().meta({ description: 'Taken, and chooses nothing' })
