import type { Case } from '../../../contract/cases/case-file.ts'
import type { CaseStep } from '../../../contract/records/control/case.ts'
import type { JournalEntry } from '../../../contract/records/control/journal.ts'
import type { Difference } from '../structural-diff.ts'

export type Reason = NonNullable<JournalEntry['why']>

export interface RecordChange {
  collection: string
  key: string
  kind: 'added' | 'removed' | 'changed'
  /** Of one that was changed, as JSON; long values are cut. */
  fields?: readonly FieldChange[]
  /** The fields of one that was added or removed, as JSON; long values are cut. */
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

/** The first step that is another one in a second case. */
export interface OtherCase {
  name: string
  /** Nothing: the two are the same. */
  step?: number
  differences: readonly Difference[]
}

/** All that is shown of a case, whatever shows it. */
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
  /** Said to whoever reads it, such as why it was not made again. */
  notes: readonly string[]
}

export function toCaseView({ header, steps, ended }: Case, notes: readonly string[] = []): CaseView {
  const { name, version, world, start, profile, publicUrl } = header
  return { about: { name, version, world, start, profile, publicUrl, ended, notes }, steps, played: {} }
}
