import * as z from 'zod'

export const differenceKinds = ['missing', 'further', 'type', 'value', 'order', 'status', 'error', 'header'] as const
export type DifferenceKind = (typeof differenceKinds)[number]

export const UNEXPLAINED = 'unexplained'

const name = z.string().max(1000)
const count = z.int().min(0)

/** A difference. Equal differences are listed only once, with their count. */
const foundDifference = z.object({
  /** Number or name of the operation, or its method and path if no document contains the operation. */
  operation: name,
  route: name,
  /** A path such as `body.items[].srid`, in which `[]` means any entry of the list. */
  place: name,
  kind: z.enum(differenceKinds),
  count,
  step: z.int(),
  /** The value that vendor-cloud returned, with secrets replaced. */
  ours: z.unknown().optional(),
  theirs: z.unknown().optional(),
  /** A choice that explains the difference, such as `choice: page-size`. Otherwise `unexplained`. */
  explanation: name,
  value: z.unknown().optional(),
  known: z.literal(true).optional(),
})
export type FoundDifference = z.infer<typeof foundDifference>

/** `share` is `count` divided by the number of compared values, from 0 to 1. */
const share = z.object({ count, share: z.number() })

const operationDistance = z.object({
  operation: name,
  route: name,
  calls: count,
  places: count,
  kinds: z.partialRecord(z.enum(differenceKinds), share),
})
export type OperationDistance = z.infer<typeof operationDistance>

/** The output of `vendor-cloud compare --format json`. It can be used as a baseline and is displayed in the console. */
export const comparisonReport = z.object({
  comparison: z.literal(1),
  upstream: name,
  profile: name.optional(),
  calls: count,
  left: z.object({ writes: count, secrets: count, control: count }),
  streams: z.object({ compared: count, notCompared: count }),
  differences: z.array(foundDifference).max(10_000),
  unlisted: count,
  distance: z.array(operationDistance).max(10_000),
  /** Operations and kinds of difference that exceed the limits set on the command line. */
  exceeded: z.array(z.object({ operation: name, kind: z.enum(differenceKinds), share: z.number() })).max(100_000),
})
export type ComparisonReport = z.infer<typeof comparisonReport>
export type SkippedCalls = ComparisonReport['left']
export type Exceeded = ComparisonReport['exceeded'][number]
