import { z } from 'zod'
import type { CollectionName } from './collections.ts'
import { clockInstant } from './control/clock.ts'
import { fault, judgeDraft } from './control/fault.ts'
import { SNAPSHOT_VERSION } from './snapshot-migrations.ts'

export type StoredRecord = Readonly<Record<string, unknown>>

export const MAX_FAULTS = 1000

/** Keys are the SHA-256 of the bytes, which stand in base64. */
const blobs = z.record(z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal'), z.base64())

/** A running clock is kept by its distance from real time, so a world at rest always gives the same bytes. */
const clock = z.union(
  [z.strictObject({ offsetMs: z.int() }), z.strictObject({ frozenAt: clockInstant })],
  'must be {offsetMs} or {frozenAt}',
)

/** A fault has the fields that GET lists, and no others. */
const keptFault = z.strictObject(fault.shape).check(judgeDraft)

/** The journal and live streams are left out. */
export const snapshot = z.strictObject({
  schemaVersion: z.literal(SNAPSHOT_VERSION),
  seed: z.string().max(200).optional(),
  clock,
  faults: z.array(keptFault).max(MAX_FAULTS),
  records: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))).meta({ description: 'By collection' }),
  blobs,
})
/** Images may be many, and an object with as many names would be listed in one turn, so they are iterated. */
export type Snapshot = Readonly<Omit<z.infer<typeof snapshot>, 'blobs'> & { blobs: ReadonlyMap<string, string> }>

/** A running clock runs on while nobody looks; a frozen one stays. */
export function toClockPlace({ now, frozen, offsetMs }: { now: number; frozen: boolean; offsetMs: number }) {
  return frozen ? { frozenAt: new Date(now).toISOString() } : { offsetMs }
}

export function recordsOf({ records }: Snapshot, name: CollectionName): readonly StoredRecord[] {
  return records[name] ?? []
}
