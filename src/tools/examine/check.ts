import type { FaultDraft, JournalEntry } from '../client/types.ts'
import type { Session } from './session.ts'
import type { Transcript } from './transcript.ts'

export const documents = ['support', 'events', 'wallet', 'billing'] as const
export type DocumentName = (typeof documents)[number]

/** MUST is required by a document or an RFC. SHOULD is good practice. INFO is a choice of vendor-cloud. */
export type Level = 'MUST' | 'SHOULD' | 'INFO'

export interface Check {
  name: string
  level: Level
  source: string
  rule: string
  advice: string
  /** If this function returns false, the check is reported as not covered. Default: the check always applies. */
  isDisplayed?: (transcript: Transcript) => boolean
  evaluate: (transcript: Transcript) => Verdict
}

export type Evidence = readonly [JournalEntry, ...JournalEntry[]]

/** A check without relevant requests is reported as `not covered`, so that a client that sends nothing never passes. */
export type Verdict = 'passed' | 'not covered' | Evidence

export type Environment = Readonly<Record<string, string>>

export interface Scenario {
  name: string
  document: DocumentName
  task: string
  environment?: Environment
  fault?: FaultDraft
  prepare?: (session: Session) => Promise<unknown>
  play: (session: Session) => Promise<unknown>
  checks: readonly Check[]
}

export type Chapter = readonly Omit<Scenario, 'document'>[]

export function isEvidence(entries: readonly JournalEntry[]): entries is Evidence {
  return entries.length > 0
}

/** Returns `passed` if no entry is wrong, or `not covered` if there are no relevant entries. */
export function none(wrong: readonly JournalEntry[], met: readonly JournalEntry[]): Verdict {
  if (isEvidence(wrong)) return wrong
  return met.length > 0 ? 'passed' : 'not covered'
}

type Fits = (entry: JournalEntry, i: number, all: readonly JournalEntry[]) => unknown

export function noneOf(met: readonly JournalEntry[], isWrong: Fits): Verdict {
  return none(met.filter(isWrong), met)
}

/** Returns `passed` if an entry is right, or `not covered` if there are no relevant entries. */
export function some(right: readonly JournalEntry[], met: readonly JournalEntry[]): Verdict {
  if (!isEvidence(met)) return 'not covered'
  return right.length > 0 ? 'passed' : met
}

export function someOf(met: readonly JournalEntry[], isRight: Fits): Verdict {
  return some(met.filter(isRight), met)
}

export function header({ request }: JournalEntry, name: string): string | undefined {
  return request?.headers[name]
}

/** Returns each entry that is preceded by at least `most` entries in the last `ms` milliseconds. */
export function beyond(entries: readonly JournalEntry[], most: number, ms: number): JournalEntry[] {
  return entries.filter((each, i) => i >= most && between(entries[i - most]!, each) < ms)
}

/** Milliseconds on the clock of the world. */
export function between(earlier: JournalEntry, later: JournalEntry): number {
  return Date.parse(later.at) - Date.parse(earlier.at)
}
