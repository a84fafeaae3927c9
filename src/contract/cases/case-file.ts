import type { z } from 'zod'
import { isDeep, MOST_LEVELS } from './depth.ts'
import { caseEnd, type CaseStep, caseStep } from '../records/control/case.ts'
import { CASE_VERSION, type CaseHeader, caseHeader, UNKNOWN_START } from '../records/control/case-header.ts'

export interface Case {
  header: CaseHeader
  steps: CaseStep[]
  ended?: string | undefined
}

/** The message is for the person who has the file. */
export class UnusableCase extends Error {
  override readonly name = 'UnusableCase'
}

/** Keys have a fixed order, so that equal cases are equal files. */
export function writeCase({ header, steps, ended }: Case): string {
  const lines = [header, ...steps].map((line) => `${JSON.stringify(line)}\n`)
  return lines.join('') + (ended === undefined ? '' : writeEnd(ended))
}

/** A case that ended by itself says so in its last line. */
export function writeEnd(ended: string): string {
  return `${JSON.stringify({ ended })}\n`
}

/** Throws an UnusableCase that names the line. */
export function parseCase(text: string): Case {
  const [first = '', ...rest] = linesOf(text)
  const header = parseLine(caseHeader, first, 1)
  if (header.origin && isTorn(text, rest.at(-1))) rest.pop()
  const steps: CaseStep[] = []
  const seen = new Set<number>()
  const tokens = [...header.tokens]
  let ended: string | undefined
  for (const [i, line] of rest.entries()) {
    if (i === rest.length - 1 && line.startsWith('{"ended":')) ended = parseLine(caseEnd, line, i + 2).ended
    else {
      const { tokens: further = [], ...step } = parseLine(caseStep, line, i + 2)
      tokens.push(...further)
      if (seen.has(step.step)) throw new UnusableCase(`line ${i + 2} is step ${step.step} once more`)
      seen.add(step.step)
      steps.push(step)
    }
  }
  const start = header.start === UNKNOWN_START ? (steps[0]?.at ?? header.start) : header.start
  return { header: { ...header, start, tokens }, steps, ended }
}

/** Some editors put a byte order mark before the first line. */
function linesOf(text: string): string[] {
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
}

/** A writer that was killed leaves the last line unfinished. */
function isTorn(text: string, last: string | undefined): boolean {
  if (last === undefined || text.endsWith('\n')) return false
  try {
    return JSON.parse(last) === undefined
  } catch {
    return true
  }
}

export function isCase(text: string): boolean {
  try {
    const [first = ''] = linesOf(text.slice(0, text.indexOf('\n')))
    return parseLine(caseHeader, first, 1) !== undefined
  } catch {
    return false
  }
}

/** Steps must count from 1 without gaps, also when some were left out. */
export function renumber(steps: readonly CaseStep[]): CaseStep[] {
  return steps.map((step, i) => ({ ...step, step: i + 1 }))
}

function parseLine<S extends z.ZodType>(schema: S, line: string, number: number): z.output<S> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new UnusableCase(`line ${number} is no JSON`)
  }
  if (isDeep(line)) throw new UnusableCase(`line ${number} has more than ${MOST_LEVELS} levels`)
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const { case: version } = Object(value) as { case?: unknown }
  if (number === 1 && typeof version === 'number' && version > CASE_VERSION) {
    throw new UnusableCase(
      `line 1 says case ${version}, which a newer version made; this one reads up to ${CASE_VERSION}`,
    )
  }
  const [issue] = result.error.issues
  throw new UnusableCase(`line ${number} is none of a case: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
}
