import { z } from 'zod'
import { instant } from '../formats.ts'

/** A write of document 1 that others are to see later, where a world has `replication-lag`. */
export const lateWrite = z.object({
  /** The collection, the record's key and a number, which grows with each write of it. */
  writeId: z.string(),
  collection: z.string(),
  key: z.string(),
  number: z.int().min(1),
  at: instant,
  /** The identity that sees it at once. */
  writer: z.string().optional(),
  /** As others see the record until then; absent: not at all. */
  before: z.record(z.string(), z.unknown()).optional(),
})
export type LateWrite = z.infer<typeof lateWrite>
