import type { Case } from '../../../contract/cases/case-file.ts'
import type { CaseCall, CaseStep } from '../../../contract/records/control/case.ts'
import type { JournalEntry } from '../../../contract/records/control/journal.ts'
import type { Difference } from '../structural-diff.ts'

export type Reason = NonNullable<JournalEntry['why']>

/** A record that a step added, removed or changed. */
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

/** What came of a step when it was made again. */
export interface PlayedStep {
  /** Why it was refused. */
  why?: Reason
  changes?: readonly RecordChange[]
  /** Records beyond those that are told. */
  moreChanges?: number
  /** The outcome was another than the recorded one. */
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
  /** By the number of the step. */
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
  /** Why it ended by itself. */
  ended?: string | undefined
  /** Said to whoever reads it, such as why it was not made again. */
  notes: readonly string[]
}

export function toCaseView({ header, steps, ended }: Case, notes: readonly string[] = []): CaseView {
  const { name, version, world, start, profile, publicUrl } = header
  return { about: { name, version, world, start, profile, publicUrl, ended, notes }, steps, played: {} }
}

export type Kind = 'call' | 'clock' | 'control' | 'frame' | 'mail' | 'closed'

export function kindOf(step: CaseStep): Kind {
  if ('control' in step) {
    // A refused call moved nothing, and may hold anything.
    return step.control.path.startsWith('/_control/clock') && step.reply.status === 200 ? 'clock' : 'control'
  }
  return (['call', 'frame', 'mail', 'closed'] as const).find((kind) => kind in step) ?? 'closed'
}

/** The two who have to do with a step: from the first to the second. */
export function lanesOf(step: CaseStep): readonly [Lane, Lane] {
  return ways[kindOf(step)]
}

export const lanes = ['client', 'vendor', 'stream', 'mail'] as const
export type Lane = (typeof lanes)[number]

const ways: Readonly<Record<Kind, readonly [Lane, Lane]>> = {
  call: ['client', 'vendor'],
  control: ['vendor', 'vendor'],
  clock: ['vendor', 'vendor'],
  frame: ['vendor', 'stream'],
  closed: ['client', 'stream'],
  mail: ['vendor', 'mail'],
}

/** The call of a step, the vendor's or one of the control API. */
export function callOf(step: CaseStep): CaseCall | undefined {
  if ('call' in step) return step.call
  return 'control' in step ? step.control : undefined
}

/** A step on one line. */
export function nameOf(step: CaseStep): string {
  if ('call' in step) return `${step.call.method} ${step.call.path}`
  if ('control' in step) {
    const { body, path, method } = step.control
    return kindOf(step) === 'clock' ? toMove(body) : `${method} ${path.replace('/_control/', '')}`
  }
  if ('frame' in step) {
    const { data, event } = step.frame
    return typeof data === 'string' ? `${event} ${data}` : `${event} ${describe(data)}`.trim()
  }
  return 'mail' in step ? `mail: ${toText(step.mail['subject'])}` : 'the stream is left'
}

function toMove(body: unknown): string {
  const { duration, now, frozen } = Object(parse(body)) as Readonly<Record<string, unknown>>
  if (duration !== undefined) return `forward by ${toText(duration)}${typeof duration === 'number' ? ' ms' : ''}`
  const moved = [now === undefined ? '' : `to ${toText(now)}`, frozen === undefined ? '' : frozen ? 'stands' : 'runs']
  return moved.filter((each) => each !== '').join(', ') || 'back to real time'
}

/** `switch: "on"` of an event. */
function describe(data: unknown): string {
  const parts = Object.values(Object(data) as Readonly<Record<string, unknown>>)
  const event = parts.find((each) => typeof each === 'object' && each !== null)
  const { attribute, value, status, lifecycle } = Object(event) as Readonly<Record<string, unknown>>
  if (attribute === undefined) return toText(status ?? lifecycle ?? '')
  return `${toText(attribute)}: ${JSON.stringify(value) ?? ''}`
}

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
