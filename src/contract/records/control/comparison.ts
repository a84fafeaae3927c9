import * as z from 'zod'

export const differenceKinds = ['missing', 'further', 'type', 'value', 'order', 'status', 'error', 'header'] as const
export type DifferenceKind = (typeof differenceKinds)[number]

export const UNEXPLAINED = 'unexplained'

const name = z.string().max(1000)
const count = z.int().min(0)

/** Equal differences are counted and listed once. */
const foundDifference = z.object({
  /** A number of document 1's table or a name; the method and path where no document has the operation. */
  operation: name,
  route: name,
  /** A place such as `body.items[].srid`; `[]` stands for all entries of a list. */
  place: name,
  kind: z.enum(differenceKinds),
  count,
  /** The first step that shows it. */
  step: z.int(),
  /** Secrets are hidden. */
  ours: z.unknown().optional(),
  theirs: z.unknown().optional(),
  /** `choice: page-size`, or `unexplained`. */
  explanation: name,
  value: z.unknown().optional(),
  known: z.literal(true).optional(),
})
export type FoundDifference = z.infer<typeof foundDifference>

/** `share` is the part of the compared places, from 0 to 1. */
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
  /** Counts calls that were left out on both sides, by the reason. */
  left: z.object({ writes: count, secrets: count, control: count }),
  streams: z.object({ compared: count, notCompared: count }),
  differences: z.array(foundDifference).max(10_000),
  /** Too many different differences are only counted. */
  unlisted: count,
  distance: z.array(operationDistance).max(10_000),
  /** These operations and kinds exceed the given limits. */
  exceeded: z.array(z.object({ operation: name, kind: z.enum(differenceKinds), share: z.number() })).max(100_000),
})
export type ComparisonReport = z.infer<typeof comparisonReport>
export type LeftOut = ComparisonReport['left']
export type Exceeded = ComparisonReport['exceeded'][number]
