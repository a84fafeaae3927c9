import { z } from 'zod'
import type { CollectionName } from './collections.ts'
import { clockInstant } from './control/clock.ts'
import { fault, judgeDraft } from './control/fault.ts'
import { SNAPSHOT_VERSION } from './snapshot-migrations.ts'

export type StoredRecord = Readonly<Record<string, unknown>>

export const MAX_FAULTS = 1000

/** Image bytes in base64, by their SHA-256. */
const blobs = z.record(z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal'), z.base64())

/**
 * A running clock by its distance from real time, one that stands still by where it stands: so that a world at rest is
 * the same bytes whenever it is asked.
 */
const clock = z.union(
  [z.strictObject({ offsetMs: z.int() }), z.strictObject({ frozenAt: clockInstant })],
  'must be {offsetMs} or {frozenAt}',
)

/** What GET lists of a fault, and nothing else. */
const keptFault = z.strictObject(fault.shape).check(judgeDraft)

/** A world as it is kept in a file: everything but its journal and its live streams. */
export const snapshot = z.strictObject({
  schemaVersion: z.literal(SNAPSHOT_VERSION),
  seed: z.string().max(200).optional(),
  clock,
  faults: z.array(keptFault).max(MAX_FAULTS),
  records: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))).meta({ description: 'By collection' }),
  blobs,
})
/** Images are many: an object of as many names would be listed at one go by whoever walks through it. */
export type Snapshot = Readonly<Omit<z.infer<typeof snapshot>, 'blobs'> & { blobs: ReadonlyMap<string, string> }>

/** The clock as it is kept: it runs on while nobody looks, or stands where it stood. */
export function toClockPlace({ now, frozen, offsetMs }: { now: number; frozen: boolean; offsetMs: number }) {
  return frozen ? { frozenAt: new Date(now).toISOString() } : { offsetMs }
}

export function recordsOf({ records }: Snapshot, name: CollectionName): readonly StoredRecord[] {
  return records[name] ?? []
}
