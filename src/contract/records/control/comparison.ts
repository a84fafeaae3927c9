import { z } from 'zod'

export const differenceKinds = ['missing', 'further', 'type', 'value', 'order', 'status', 'error', 'header'] as const
export type DifferenceKind = (typeof differenceKinds)[number]

export const UNEXPLAINED = 'unexplained'

const name = z.string().max(1000)
const count = z.int().min(0)

/** A difference of one kind at one place of one operation's replies, however often it was met. */
const foundDifference = z.object({
  /** Number of document 1's table, or a name; the method and path of what no document has. */
  operation: name,
  route: name,
  /** Such as `body.items[].srid`. */
  place: name,
  kind: z.enum(differenceKinds),
  count,
  /** The first that shows it. */
  step: z.int(),
  /** As it was there; secrets are not told. */
  ours: z.unknown().optional(),
  theirs: z.unknown().optional(),
  /** `choice: page-size`, or `unexplained`. */
  explanation: name,
  value: z.unknown().optional(),
  known: z.literal(true).optional(),
})
export type FoundDifference = z.infer<typeof foundDifference>

/** `share`: of the places that were compared, from 0 to 1. */
const share = z.object({ count, share: z.number() })

const operationDistance = z.object({
  operation: name,
  route: name,
  calls: count,
  places: count,
  kinds: z.partialRecord(z.enum(differenceKinds), share),
})
export type OperationDistance = z.infer<typeof operationDistance>

/** `vendor-cloud compare --format json` writes this form: it serves as a baseline, and the console shows it. */
export const comparisonReport = z.object({
  comparison: z.literal(1),
  upstream: name,
  profile: name.optional(),
  calls: count,
  /** Calls that were left out on both sides, by why. */
  left: z.object({ writes: count, secrets: count, control: count }),
  streams: z.object({ compared: count, notCompared: count }),
  differences: z.array(foundDifference).max(10_000),
  /** Further ones: there are too many kinds of them to be listed. */
  unlisted: count,
  distance: z.array(operationDistance).max(10_000),
  /** Operations and kinds that are beyond the limits that were given. */
  exceeded: z.array(z.object({ operation: name, kind: z.enum(differenceKinds), share: z.number() })).max(100_000),
})
export type ComparisonReport = z.infer<typeof comparisonReport>
export type LeftOut = ComparisonReport['left']
export type Exceeded = ComparisonReport['exceeded'][number]
