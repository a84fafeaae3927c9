import { z } from 'zod'

/** Our choice: an identifier of another system of the vendor's. */
export const sc4uObjectId = z.string().optional().meta({ description: 'Taken, and chooses nothing' })
