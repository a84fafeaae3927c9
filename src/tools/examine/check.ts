import type { JournalEntry } from '../control-client/types.ts'
import type { Session } from './session.ts'
import type { Transcript } from './transcript.ts'

export const documents = ['support', 'events', 'wallet', 'billing'] as const
export type DocumentName = (typeof documents)[number]

/** MUST: a document or an RFC says so. SHOULD: good use says so. INFO: a choice of ours, or worth knowing. */
export type Level = 'MUST' | 'SHOULD' | 'INFO'

export interface Check {
  name: string
  level: Level
  /** The document or the RFC that it comes from, or `our choice`. */
  source: string
  rule: string
  advice: string
  judge: (transcript: Transcript) => Verdict
}

/** The evidence of a failure: never nothing. */
export type Evidence = readonly [JournalEntry, ...JournalEntry[]]

/** Met and right; not met; or wrong, with what shows it. */
export type Verdict = 'passed' | 'not met' | Evidence

export type Environment = Readonly<Record<string, string>>

export interface Scenario {
  name: string
  document: DocumentName
  task: string
  environment?: Environment
  prepare?: (session: Session) => Promise<unknown>
  /** While it runs; when this is over, it is ended. */
  play: (session: Session) => Promise<unknown>
  checks: readonly Check[]
}

export type Chapter = readonly Omit<Scenario, 'document'>[]

export function isEvidence(entries: readonly JournalEntry[]): entries is Evidence {
  return entries.length > 0
}

/** Wrong where there is any of these, right where there is anything that could have been. */
export function none(wrong: readonly JournalEntry[], met: readonly JournalEntry[]): Verdict {
  if (isEvidence(wrong)) return wrong
  return met.length > 0 ? 'passed' : 'not met'
}

type Fits = (entry: JournalEntry, i: number, all: readonly JournalEntry[]) => unknown

/** The same of entries that are wrong themselves. */
export function noneOf(met: readonly JournalEntry[], isWrong: Fits): Verdict {
  return none(met.filter(isWrong), met)
}

/** Right where there is any of these; wrong, as the others show, where there could have been. */
export function some(right: readonly JournalEntry[], met: readonly JournalEntry[]): Verdict {
  if (!isEvidence(met)) return 'not met'
  return right.length > 0 ? 'passed' : met
}

/** The same of entries that are right themselves. */
export function someOf(met: readonly JournalEntry[], isRight: Fits): Verdict {
  return some(met.filter(isRight), met)
}

export function header({ request }: JournalEntry, name: string): string | undefined {
  return request?.headers[name]
}

/** Those that came when as many as `most` had come within so many milliseconds. */
export function beyond(entries: readonly JournalEntry[], most: number, ms: number): JournalEntry[] {
  return entries.filter((each, i) => i >= most && between(entries[i - most]!, each) < ms)
}

/** Milliseconds between two entries, by the world's clock. */
export function between(earlier: JournalEntry, later: JournalEntry): number {
  return Date.parse(later.at) - Date.parse(earlier.at)
}
