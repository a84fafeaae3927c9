import { ControlError } from '#tools/client/errors.ts'
import type { Case, CaseStep, CaseHeader } from '#contract/files/case.ts'

/** Reads only the fields that the page needs. `vendor-cloud replay` validates all fields. */
export function readCase(text: string): Case {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const [header, ...rest] = lines.map((line, i) => parse(line, i + 1)) as [
    CaseHeader,
    ...(CaseStep | { ended: string })[],
  ]
  if (![1, 2].includes(header?.case)) throw unusable('the first line is not a case header')
  const ended = rest.find((line) => 'ended' in line)
  const steps = rest.filter((line): line is CaseStep => 'step' in line && isInstant(line.at))
  if (steps.length + (ended ? 1 : 0) < rest.length) throw unusable('a line is not a step')
  const { version = 'unknown', world = 'default', origin } = header as Partial<CaseHeader>
  const start = origin === 'upstream' ? (steps[0]?.at ?? EPOCH) : header.start
  if (!isInstant(start)) throw unusable('the first line is not a case header')
  return { header: { ...header, version, world, start }, steps, ended: ended?.ended }
}

const EPOCH = '1970-01-01T00:00:00Z'

/** A case that was recorded on another server has no initial state, so it cannot be replayed. */
export function hasBeginning({ header }: Case): boolean {
  return header.snapshot !== undefined || (header.fixtures !== undefined && header.changed !== undefined)
}

function isInstant(text: string): boolean {
  return !Number.isNaN(Date.parse(text))
}

function parse(line: string, number: number): unknown {
  try {
    return Object(JSON.parse(line)) as unknown
  } catch {
    throw unusable(`line ${number} is not JSON`)
  }
}

function unusable(why: string): ControlError {
  return new ControlError(400, 'UnusableCase', `This file cannot be shown as a case: ${why}`)
}
