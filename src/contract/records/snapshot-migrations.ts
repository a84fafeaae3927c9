/** Every change that an older snapshot would not survive raises this version and adds a step below. */
export const SNAPSHOT_VERSION = 2

type Document = Readonly<Record<string, unknown>>

/** Step n turns version n into n + 1. */
const steps: Readonly<Record<number, (old: Document) => Document>> = { 1: keepClockByDistance }

/** A newer version, or none, is refused with the reason. */
export function migrateSnapshot(given: unknown): { value: unknown } | { reason: string } {
  const version =
    typeof given === 'object' && given !== null && 'schemaVersion' in given ? given.schemaVersion : undefined
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    return { reason: 'must be the version of the snapshot, a whole number from 1' }
  }
  if (version > SNAPSHOT_VERSION) {
    return { reason: `is ${version}, which a newer server wrote; this one reads up to ${SNAPSHOT_VERSION}` }
  }
  let value = given as Document
  for (let from = version; from < SNAPSHOT_VERSION; from++) value = { ...steps[from]!(value), schemaVersion: from + 1 }
  return { value }
}

/** Version 1 held the clock with a `now`, which differed in every snapshot. */
function keepClockByDistance(old: Document): Document {
  const { now, frozen, offsetMs } = (old['clock'] ?? {}) as Document
  return { ...old, clock: frozen === true ? { frozenAt: now } : { offsetMs } }
}
