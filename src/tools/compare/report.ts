import type { Difference } from '../cases/structural-diff.ts'

export const differenceKinds = ['missing', 'further', 'type', 'value', 'order', 'status', 'error', 'header'] as const
export type DifferenceKind = (typeof differenceKinds)[number]

export const UNEXPLAINED = 'unexplained'

/** A difference of one kind at one place of one operation's replies, however often it was met. */
export interface FoundDifference {
  /** Number of document 1's table, or a name; the method and path of what no document has. */
  operation: string
  route: string
  /** Such as `body.items[].srid`. */
  place: string
  kind: DifferenceKind
  count: number
  /** The first that shows it. */
  step: number
  /** As it was there; secrets are not told. */
  ours?: unknown
  theirs?: unknown
  /** `choice: page-size`, or `unexplained`. */
  explanation: string
  /** The value of that choice which ends it. */
  value?: unknown
  /** It stands in the baseline. */
  known?: true
}

export interface Share {
  count: number
  /** Of the places that were compared, from 0 to 1. */
  share: number
}

export interface OperationDistance {
  operation: string
  route: string
  calls: number
  /** Fields, entries, headers and statuses that were compared. */
  places: number
  kinds: Partial<Record<DifferenceKind, Share>>
}

/** Calls that were left out on both sides, by why. */
export interface LeftOut {
  writes: number
  secrets: number
  control: number
}

export interface ComparisonReport {
  /** The form of this report. */
  comparison: 1
  upstream: string
  /** Name of the profile that our world had. */
  profile?: string
  calls: number
  left: LeftOut
  /** Streams whose frames were compared, and those of which the upstream sent none. */
  streams: { compared: number; notCompared: number }
  differences: FoundDifference[]
  /** Further ones: there are too many kinds of them to be listed. */
  unlisted: number
  distance: OperationDistance[]
}

/** By this a difference of another run is the same one. */
export function keyOf({ operation, kind, place, ours, theirs }: Omit<FoundDifference, 'explanation'>): string {
  // Of statuses and error codes each pair is a difference of its own.
  const values = kind === 'status' || kind === 'error' ? ` ${JSON.stringify([ours, theirs])}` : ''
  return `${operation} ${kind} ${place}${values}`
}

/** With entries of lists as one place. */
export const toPlace = ({ path }: Difference): string => path.replace(/\[\d+\]/g, '[]')
