import { z } from 'zod'
import { instant } from '../formats.ts'
import { SNAPSHOT_VERSION } from '../snapshot-migrations.ts'
import { DEFAULT_WORLD, worldName } from './world.ts'

export const CASE_VERSION = 2

const records = z.record(z.string(), z.array(z.record(z.string(), z.unknown())))

/** A part that is left out does not differ from the fixtures. */
const changes = z.object({
  /** Records stand as in a snapshot. */
  schemaVersion: z.int(),
  clock: z.object({ frozenAt: instant }).optional(),
  faults: z.array(z.unknown()).optional(),
  /** New records, and those that replace fixtures, by collection. */
  records: records.optional(),
  gone: z.record(z.string(), z.array(z.string())).optional(),
  /** Images by their SHA-256, in base64. */
  blobs: z.record(z.string(), z.string()).optional(),
})
export type CaseChanges = z.infer<typeof changes>

const header = z.object({
  case: z.literal([1, CASE_VERSION]),
  /** Nobody knows what a foreign server's world began with. */
  origin: z.literal('upstream').optional(),
  /** The program of this version has the same fixtures. */
  version: z.string(),
  name: z.string().optional(),
  world: worldName,
  /** The snapshot holds the whole profile, so its name is enough. */
  profile: z.string().optional(),
  publicUrl: z.string().optional(),
  /** Dates of fixtures count from this instant; for a snapshot it is the instant of its clock. */
  start: instant,
  seed: z.string(),
  /** Ids of events continue from this sequence. */
  head: z.int(),
  /** Shapes tell the look of a value: `Aa0` is a capital, a small letter and a digit. */
  tokens: z.array(z.string().max(100_000)).max(1_000_000),
  fixtures: z.object({ name: z.string().regex(/^[a-z0-9-]{1,64}$/), sha256: z.string() }).optional(),
  changed: changes.optional(),
  snapshot: z.record(z.string(), z.unknown()).optional(),
})
/** The header is written before anything is known of the calls that come. */
export const upstreamHeader = { case: CASE_VERSION, origin: 'upstream' } as const
/** Until its first step tells when such a case began. */
export const UNKNOWN_START = '1970-01-01T00:00:00.000Z'

/** Such a case is replayed from the default fixtures. */
const unknown = {
  version: 'unknown',
  world: DEFAULT_WORLD,
  start: UNKNOWN_START,
  seed: 'upstream',
  head: 0,
  tokens: [],
  changed: { schemaVersion: SNAPSHOT_VERSION },
}

/** Form 1 had a snapshot alone, so it is read as such. */
export const caseHeader = z.preprocess(
  (value) => (Object(value).origin === upstreamHeader.origin ? { ...unknown, ...Object(value) } : value),
  header.refine(
    ({ snapshot, fixtures, changed, origin }) => snapshot ?? (changed && (fixtures || origin)),
    'must hold a snapshot, or fixtures and what has changed of them',
  ),
)
export type CaseHeader = z.infer<typeof caseHeader>
