import type { VariationDraft } from '#contract/records/control/variation.ts'
import type { ProfileInput } from '#contract/records/control/vendor-profile.ts'

/** A conditional type, so that users without the platform's types can compile. */
export type Fetch = typeof globalThis extends { fetch: infer F } ? F : (url: string, init?: object) => Promise<unknown>

/** A conditional type, so that users without the platform's types can compile. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer S } } ? S : object

export interface Paging {
  /** From 1 to 100 entries; 20 unless told. */
  limit?: number
  /** So many entries are left out before the page begins. */
  offset?: number
}

export interface SlotQuery {
  /** YYYY-MM-DD; today at the center's own time unless told. */
  from?: string
  /** From 1 to 31 days; 7 unless told. */
  days?: number
}

export interface CaseOptions {
  /** A whole case stands alone for years; otherwise it holds only the difference from the fixtures. */
  whole?: boolean | undefined
}

export interface WorldOptions {
  /** 1 to 64 of a-z, 0-9 and -; a name that no other world has unless told. */
  name?: string
  /** Every id and token is then a function of the seed and of the calls. */
  seed?: string
  /** Forks that world instead of starting from fixtures; excludes `seed` and `now`. */
  from?: string
  /** Beside `from`, a step's number or ISO 8601: the fork begins as the recorded world stood then. */
  at?: number | string
  /** The clock starts at this instant: ISO 8601 or a Date. */
  now?: string | Date
  /** A frozen clock moves only by calls. */
  frozen?: boolean
  /** The world is deleted after so many seconds of real time. */
  expiresIn?: number
  /** Event streams ask cut-off clients to wait so long: 0 to 60000 milliseconds. */
  streamRetryMs?: number
  /** Replies vary from the start in what the documents leave open. */
  variation?: VariationDraft
  /** Choices where the documents are silent, or the name of a shipped profile; `null` makes the world plain. */
  profile?: ProfileInput | null
  /** Records from the start on, which `saveCase` needs. */
  record?: boolean
}

export interface DiffedWorld {
  /** The name that the world was created with. */
  readonly name: string
}

export interface DiffMoments {
  /** A step's number or ISO 8601, for this world; its present state unless told. */
  at?: number | string
  /** A step's number or ISO 8601, for the other world; its present state unless told. */
  withAt?: number | string
}

export interface Expectation {
  /** Demands exactly so many entries. */
  count?: number
  /** Demands so many entries or more; one unless told. */
  atLeast?: number
  /** Entries may still come within so many milliseconds of real time. */
  withinMs?: number
}

/** An entry must fit every given field. */
export interface JournalFilter {
  /** A number of document 1's table, or a name such as `createServiceToken`. */
  operation?: number | string
  /** The method must be this one, such as `GET`. */
  method?: string
  /** Compared without the world's prefix; `*` stands for anything. */
  path?: string
  /** The response's status must be this one, or in a range such as `4xx` or `400-499`. */
  status?: number | string
  /** A caller's name as the journal shows it, such as `web-alice`. */
  caller?: string
  /** Text that path, query, headers, body or data must hold; letter case does not count. */
  q?: string
  /** `true` takes statuses from 400 on, `false` the others. */
  refused?: boolean
  /** Requests, or frames of event streams; both unless told. */
  kind?: 'request' | 'frame'
  /** An entry's id: only older entries fit. */
  before?: number
  /** So many entries are left out before the page begins. */
  offset?: number
  /** From 1 to 100 entries; 20 unless told. */
  limit?: number
}
