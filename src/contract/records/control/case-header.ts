import { z } from 'zod'
import { instant } from '../formats.ts'
import { SNAPSHOT_VERSION } from '../snapshot-migrations.ts'
import { DEFAULT_WORLD, worldName } from './world.ts'

export const CASE_VERSION = 2

const records = z.record(z.string(), z.array(z.record(z.string(), z.unknown())))

/** A world's difference from one that begins with the fixtures; a part that is left out does not differ. */
const changes = z.object({
  /** Of the records, as in a snapshot. */
  schemaVersion: z.int(),
  clock: z.object({ frozenAt: instant }).optional(),
  faults: z.array(z.unknown()).optional(),
  /** Records by collection: new ones, and those in the place of fixtures. */
  records: records.optional(),
  gone: z.record(z.string(), z.array(z.string())).optional(),
  /** Images by their SHA-256, in base64. */
  blobs: z.record(z.string(), z.string()).optional(),
})
export type CaseChanges = z.infer<typeof changes>

const header = z.object({
  case: z.literal([1, CASE_VERSION]),
  /** Recorded of another server, so that nobody knows what its world began with. */
  origin: z.literal('upstream').optional(),
  /** Of the program that recorded it, which has these fixtures. */
  version: z.string(),
  name: z.string().optional(),
  world: worldName,
  /** Name of the profile that it was bent by: the snapshot has it whole. */
  profile: z.string().optional(),
  publicUrl: z.string().optional(),
  /** The instant that its fixtures' dates are told by; of a snapshot the one at which its clock stood. */
  start: instant,
  seed: z.string(),
  /** Sequence of the event before the first one. */
  head: z.int(),
  /** Of each placeholder's value what it looks like: `Aa0` for a capital, a small letter and a digit. */
  tokens: z.array(z.string().max(100_000)).max(1_000_000),
  fixtures: z.object({ name: z.string().regex(/^[a-z0-9-]{1,64}$/), sha256: z.string() }).optional(),
  changed: changes.optional(),
  snapshot: z.record(z.string(), z.unknown()).optional(),
})
/** Whole first line of a case that is recorded of an upstream, before anything is known of what comes. */
export const upstreamHeader = { case: CASE_VERSION, origin: 'upstream' } as const
/** Until its first step tells when such a case began. */
export const UNKNOWN_START = '1970-01-01T00:00:00.000Z'

/** A case of an upstream is made again in a world that begins with the default fixtures. */
const unknown = {
  version: 'unknown',
  world: DEFAULT_WORLD,
  start: UNKNOWN_START,
  seed: 'upstream',
  head: 0,
  tokens: [],
  changed: { schemaVersion: SNAPSHOT_VERSION },
}

/** First line of a case: what its world began with. Form 1 had a snapshot alone. */
export const caseHeader = z.preprocess(
  (value) => (Object(value).origin === upstreamHeader.origin ? { ...unknown, ...Object(value) } : value),
  header.refine(
    ({ snapshot, fixtures, changed, origin }) => snapshot ?? (changed && (fixtures || origin)),
    'must hold a snapshot, or fixtures and what has changed of them',
  ),
)
export type CaseHeader = z.infer<typeof caseHeader>
