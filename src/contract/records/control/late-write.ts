import { z } from 'zod'
import { instant } from '../formats.ts'

/** With `replication-lag` others see a write of document 1 later than its writer. */
export const lateWrite = z.object({
  /** The collection, the key and a number that grows with each write of the record. */
  writeId: z.string(),
  collection: z.string(),
  key: z.string(),
  number: z.int().min(1),
  at: instant,
  /** This identity sees the write at once. */
  writer: z.string().optional(),
  /** Others see this record until then; absent, they see none. */
  before: z.record(z.string(), z.unknown()).optional(),
})
export type LateWrite = z.infer<typeof lateWrite>
