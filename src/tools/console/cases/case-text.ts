import { ControlError } from '../../control-client/errors.ts'
import type { CaseHeader, CaseStep } from '../../../contract/records/control/case.ts'

export interface Case {
  header: CaseHeader
  steps: CaseStep[]
  /** Why it ended by itself. */
  ended: string | undefined
}

/** Reads a case file as far as a page needs it; `vendor-cloud replay` checks every field. */
export function readCase(text: string): Case {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const [header, ...rest] = lines.map((line, i) => parse(line, i + 1)) as [
    CaseHeader,
    ...(CaseStep | { ended: string })[],
  ]
  const hasOrigin = header?.snapshot ?? (header?.fixtures && header.changed)
  if (!hasOrigin || ![1, 2].includes(header.case) || !isInstant(header.start)) {
    throw unusable('its first line is no header of a case')
  }
  const ended = rest.find((line) => 'ended' in line)
  const steps = rest.filter((line): line is CaseStep => 'step' in line && isInstant(line.at))
  if (steps.length + (ended ? 1 : 0) < rest.length) throw unusable('a line is no step')
  return { header, steps, ended: ended?.ended }
}

export type Kind = 'call' | 'clock' | 'control' | 'frame' | 'mail' | 'closed'

export function kindOf(step: CaseStep): Kind {
  if ('control' in step) {
    // A refused call moved nothing, and may hold anything.
    return step.control.path.startsWith('/_control/clock') && step.reply.status === 200 ? 'clock' : 'control'
  }
  return (['call', 'frame', 'mail', 'closed'] as const).find((kind) => kind in step) ?? 'closed'
}

export function nameOf(step: CaseStep): string {
  if ('call' in step) return `${step.call.method} ${step.call.path}`
  if ('control' in step) {
    const { body, path, method } = step.control
    return kindOf(step) === 'clock' ? toMove(body) : `${method} ${path.replace('/_control/', '')}`
  }
  if ('frame' in step) {
    const { data, event } = step.frame
    return typeof data === 'string' ? `${event} ${data}` : `${event} ${describe(data)}`
  }
  return 'mail' in step ? `mail: ${String(step.mail['subject'])}` : 'the stream is left'
}

function toMove(body: unknown): string {
  if (typeof body !== 'string') return 'back to real time'
  const { duration, now, frozen } = JSON.parse(body) as { duration?: string | number; now?: string; frozen?: boolean }
  if (duration !== undefined) return `forward by ${duration}${typeof duration === 'number' ? ' ms' : ''}`
  return [now && `to ${now}`, frozen === undefined ? '' : frozen ? 'stands' : 'runs'].filter(Boolean).join(', ')
}

/** `switch: on` of an event. */
function describe(data: unknown): string {
  const { attribute, value, status, lifecycle } = Object.values(data as object).find(
    (each) => typeof each === 'object' && each !== null,
  ) as Record<string, unknown>
  return attribute === undefined ? String(status ?? lifecycle ?? '') : `${String(attribute)}: ${JSON.stringify(value)}`
}

function isInstant(text: string): boolean {
  return !Number.isNaN(Date.parse(text))
}

function parse(line: string, number: number): unknown {
  try {
    return Object(JSON.parse(line)) as unknown
  } catch {
    throw unusable(`line ${number} is no JSON`)
  }
}

function unusable(why: string): ControlError {
  return new ControlError(400, 'UnusableCase', `This is no case that can be shown: ${why}`)
}
