import type { Case, CaseStep } from '#contract/files/case.ts'
import type { JournalEntry } from '#contract/records/control/journal.ts'
import type { Difference } from '../structural-diff.ts'

export type Reason = NonNullable<JournalEntry['why']>

export interface RecordChange {
  collection: string
  key: string
  kind: 'added' | 'removed' | 'changed'
  /** The fields that differ. Long values are truncated. */
  fields?: readonly FieldChange[]
  /** The record as text. Long values are truncated. */
  record?: string
}

export interface FieldChange {
  path: string
  before?: string
  after?: string
}

export interface PlayedStep {
  why?: Reason
  changes?: readonly RecordChange[]
  moreChanges?: number
  differs?: readonly Difference[]
}

export interface OtherCase {
  name: string
  /** Undefined if the two cases are equal. */
  step?: number
  differences: readonly Difference[]
}

export interface CaseView {
  about: CaseAbout
  steps: readonly CaseStep[]
  played: Readonly<Record<string, PlayedStep>>
  other?: OtherCase | undefined
}

export interface CaseAbout {
  name?: string | undefined
  version: string
  world: string
  start: string
  profile?: string | undefined
  publicUrl?: string | undefined
  ended?: string | undefined
  notes: readonly string[]
}

export function toCaseView({ header, steps, ended }: Case, notes: readonly string[] = []): CaseView {
  const { name, version, world, profile, publicUrl } = header
  // With fixtures, the header's start is the time to which the dates of the fixtures are relative.
  const start = header.changed?.clock?.frozenAt ?? header.start
  return { about: { name, version, world, start, profile, publicUrl, ended, notes }, steps, played: {} }
}
