import type { VariationDraft } from '#contract/records/control/variation.ts'
import type { ProfileInput } from '#contract/records/control/vendor-profile.ts'

/** The type is conditional, so that the code compiles even if the types of the platform are missing. */
export type Fetch = typeof globalThis extends { fetch: infer F } ? F : (url: string, init?: object) => Promise<unknown>

/** The type is conditional, so that the code compiles even if the types of the platform are missing. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer S } } ? S : object

export interface Paging {
  /** Page size from 1 to 100. Default: 20. */
  limit?: number
  /** Number of entries to skip before the page. Default: 0. */
  offset?: number
}

export interface SlotQuery {
  /** YYYY-MM-DD. Default: today in the center's time zone. */
  from?: string
  /** Number of days, from 1 to 31. Default: 7. */
  days?: number
}

export interface CaseOptions {
  /**
   * If true, the case contains the full world, so that later changes to the fixtures do not affect it. Default: only
   * the differences from the fixtures.
   */
  whole?: boolean | undefined
}

export interface WorldOptions {
  /** 1 to 64 characters of a-z, 0-9 and -. Default: an unused name. */
  name?: string
  /** All IDs and tokens are then derived from the seed and the sequence of requests. */
  seed?: string
  /** Name of a world to fork instead of starting from fixtures. Cannot be combined with `seed` and `now`. */
  from?: string
  /** Only with `from`: the step number or ISO 8601 timestamp of the recorded world at which the fork starts. */
  at?: number | string
  /** Initial time of the clock, as ISO 8601 or a Date. */
  now?: string | Date
  /** A frozen clock changes only by calls to the control API. */
  frozen?: boolean
  /** Seconds of real time after which the world is deleted. */
  expiresIn?: number
  /** Reconnection time of event streams, from 0 to 60000 milliseconds. */
  streamRetryMs?: number
  /** If set, responses vary from the start, but only in details that the documents leave unspecified. */
  variation?: VariationDraft
  /**
   * Choices for details that the documents leave unspecified, or the name of a built-in profile. With `null`, the world
   * has no profile.
   */
  profile?: ProfileInput | null
  /** Starts a recording when the world is created. `saveCase` requires a recording. */
  record?: boolean
}

export interface DiffedWorld {
  /** Name with which the world was created. */
  readonly name: string
}

export interface DiffPoints {
  /** Step number or ISO 8601 timestamp for this world. Default: its current state. */
  at?: number | string
  /** Step number or ISO 8601 timestamp for the other world. Default: its current state. */
  withAt?: number | string
}

export interface Expectation {
  /** Exact number of entries. */
  count?: number
  /** Minimum number of entries. Default: 1. */
  atLeast?: number
  /** Maximum time to wait for entries, in milliseconds of real time. */
  withinMs?: number
}

/** An entry must match all fields that are set. */
export interface JournalFilter {
  /** Number from the table of document 1, or a name such as `createServiceToken`. */
  operation?: number | string
  /** HTTP method, such as `GET`. */
  method?: string
  /** Path without the world's prefix. `*` matches any text. */
  path?: string
  /** Status of the response, or a range such as `4xx` or `400-499`. */
  status?: number | string
  /** A caller such as `web-alice`, or a type of caller: `dealer`, `user`, `guest` (no identity) or `other`. */
  caller?: string
  /** Text to find in method, path, status, query, headers, body or data. Case-insensitive. */
  q?: string
  /** `true` matches statuses from 400 on, `false` all others. */
  refused?: boolean
  /** Type of entry: requests, or frames of event streams. Default: both. */
  kind?: 'request' | 'frame'
  /** ID of an entry. Only older entries match. */
  before?: number
  /** Number of entries to skip before the page. Default: 0. */
  offset?: number
  /** Page size from 1 to 100. Default: 20. */
  limit?: number
}
