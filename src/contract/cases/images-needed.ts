import { z } from 'zod'

/** Of a snapshot as much as tells which images it needs, and which it brings. */
export const imagesNeeded = z.looseObject({
  records: z.looseObject({ symptomImages: z.array(z.looseObject({ sha256: z.string() })) }),
  blobs: z.record(z.string(), z.unknown()).default({}),
})
