import type { VariationDraft } from '../../contract/records/control/variation.ts'
import type { ProfileInput } from '../../contract/records/control/vendor-profile.ts'

/** Which page of a list. */
export interface Paging {
  /** How many at most: 1 to 100, 20 unless told. */
  limit?: number
  /** How many are left out first. */
  offset?: number
}

/** Which days of a service centre. */
export interface SlotQuery {
  /** YYYY-MM-DD; the centre's today unless told. */
  from?: string
  /** How many: 1 to 31, 7 unless told. */
  days?: number
}

/** How a case is written. */
export interface CaseOptions {
  /** Whether it holds all that the world began with, for years, in the place of what differs from the fixtures. */
  whole?: boolean | undefined
}

/** The origin of a world. */
export interface WorldOptions {
  /** 1 to 64 of a-z 0-9 and -; one that nobody has, unless told. */
  name?: string
  /** Makes every id and token a function of it and of the calls. */
  seed?: string
  /** The world to fork, in the place of fixtures; not beside seed or now. */
  from?: string
  /** Beside `from`, of a world that is recorded: a step's number, or ISO 8601; it begins as that one stood then. */
  at?: number | string
  /** Where its clock starts: ISO 8601 or a Date. */
  now?: string | Date
  /** Whether its clock stands at first. */
  frozen?: boolean
  /** Seconds of real time it lives. */
  expiresIn?: number
  /** Milliseconds that its event streams ask cut-off clients to wait, 0 to 60000. */
  streamRetryMs?: number
  /** How its replies vary at first in what the documents leave open. */
  variation?: VariationDraft
  /** Its choices where the documents are silent, or the name of a profile that ships; null: a plain one. */
  profile?: ProfileInput | null
  /** Whether what happens in it is recorded from its start, for `saveCase`. */
  record?: boolean
}

/** Moments of recorded worlds that are compared: a step's number, or ISO 8601. */
export interface DiffMoments {
  /** Of this world; as it is now, unless told. */
  at?: number | string
  /** Of the other one. */
  withAt?: number | string
}

/** Expectations of the journal. */
export interface Expectation {
  /** Exactly so many entries. */
  count?: number
  /** So many entries or more; one, unless told. */
  atLeast?: number
  /** Waits up to so many milliseconds of real time. */
  withinMs?: number
}

/** Which entries of the journal are asked for; all that is given must fit. */
export interface JournalFilter {
  /** Number of document 1's table, or a name such as `createServiceToken`. */
  operation?: number | string
  /** Such as `GET`. */
  method?: string
  /** Without the world's prefix; `*` stands for anything. */
  path?: string
  /** Status of the reply. */
  status?: number
  /** The caller, such as `web-alice`. */
  caller?: string
  /** A text that path, query, headers, body or data hold, in any letter case. */
  q?: string
  /** Whether the status is 400 or more. */
  refused?: boolean
  /** Requests, or frames of event streams. */
  kind?: 'request' | 'frame'
  /** Id of an entry: only older ones. */
  before?: number
  /** How many are left out first. */
  offset?: number
  /** How many at most: 1 to 100, 20 unless told. */
  limit?: number
}

/** Which entries of the journals of all instances. */
export interface JournalsFilter extends Omit<JournalFilter, 'before' | 'offset'> {
  /** `next` of the page before. */
  cursor?: string
}
