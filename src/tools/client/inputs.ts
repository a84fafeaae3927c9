import type { VariationDraft } from '#contract/records/control/variation.ts'
import type { ProfileInput } from '#contract/records/control/vendor-profile.ts'

/** A conditional type, so that users without the platform's types can compile. */
export type Fetch = typeof globalThis extends { fetch: infer F } ? F : (url: string, init?: object) => Promise<unknown>

/** A conditional type, so that users without the platform's types can compile. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer S } } ? S : object

export interface Paging {
  /** Page size from 1 to 100. Default: 20. */
  limit?: number
  /** The number of entries before the page. Default: 0. */
  offset?: number
}

export interface SlotQuery {
  /** YYYY-MM-DD. Default: today in the center's time zone. */
  from?: string
  /** From 1 to 31 days. Default: 7. */
  days?: number
}

export interface CaseOptions {
  /** A complete case is self-contained for years. Default: only the difference from the fixtures. */
  whole?: boolean | undefined
}

export interface WorldOptions {
  /** 1 to 64 characters of a-z, 0-9 and -. Default: an unused name. */
  name?: string
  /** Every id and token is then a function of the seed and of the calls. */
  seed?: string
  /** Forks that world instead of starting from fixtures; excludes `seed` and `now`. */
  from?: string
  /** With `from`: a step number or ISO 8601 timestamp of the recorded world at which the fork starts. */
  at?: number | string
  /** The clock starts at this instant: ISO 8601 or a Date. */
  now?: string | Date
  /** A frozen clock moves only by calls. */
  frozen?: boolean
  /** Seconds of real time after which the world is deleted. */
  expiresIn?: number
  /** The reconnection time of event streams, 0 to 60000 milliseconds. */
  streamRetryMs?: number
  /** Replies vary from the start in what the documents leave open. */
  variation?: VariationDraft
  /** Choices where the documents leave something open, or the name of a shipped profile. `null` removes the profile. */
  profile?: ProfileInput | null
  /** Records from the start on, which `saveCase` needs. */
  record?: boolean
}

export interface DiffedWorld {
  /** The name that the world was created with. */
  readonly name: string
}

export interface DiffPoints {
  /** A step number or ISO 8601 timestamp for this world. Default: its current state. */
  at?: number | string
  /** A step number or ISO 8601 timestamp for the other world. Default: its current state. */
  withAt?: number | string
}

export interface Expectation {
  /** The exact number of entries. */
  count?: number
  /** The minimum number of entries. Default: 1. */
  atLeast?: number
  /** Milliseconds of real time to wait for entries. */
  withinMs?: number
}

/** An entry must fit every given field. */
export interface JournalFilter {
  /** A number of document 1's table, or a name such as `createServiceToken`. */
  operation?: number | string
  /** The method must be this one, such as `GET`. */
  method?: string
  /** Compared without the prefix of the world. `*` matches anything. */
  path?: string
  /** The response's status must be this one, or in a range such as `4xx` or `400-499`. */
  status?: number | string
  /** A caller's name as the journal shows it, such as `web-alice`. */
  caller?: string
  /** Text that path, query, headers, body or data must hold; letter case does not count. */
  q?: string
  /** `true` takes statuses from 400 on, `false` the others. */
  refused?: boolean
  /** Requests, or frames of event streams. Default: both. */
  kind?: 'request' | 'frame'
  /** An entry's id: only older entries fit. */
  before?: number
  /** The number of entries before the page. Default: 0. */
  offset?: number
  /** Page size from 1 to 100. Default: 20. */
  limit?: number
}
