import type { z } from 'zod'
import { caseEnd, type CaseHeader, caseHeader, type CaseStep, caseStep } from '../schemas/control/case.ts'

export interface Case {
  header: CaseHeader
  steps: CaseStep[]
  /** Why it ended by itself. */
  ended?: string | undefined
}

/** A file that is no case, or not one of ours; the message is for the person who has it. */
export class UnusableCase extends Error {
  override readonly name = 'UnusableCase'
}

/** One line for the header and one for each step, with keys in one order. */
export function writeCase({ header, steps, ended }: Case): string {
  const lines = [header, ...steps, ...(ended === undefined ? [] : [{ ended }])]
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
}

/** Throws an UnusableCase that names the line. */
export function parseCase(text: string): Case {
  const [first = '', ...rest] = text.split('\n').filter((line) => line.trim() !== '')
  const header = parseLine(caseHeader, first, 1)
  const steps: CaseStep[] = []
  let ended: string | undefined
  for (const [i, line] of rest.entries()) {
    if (i === rest.length - 1 && line.startsWith('{"ended":')) ended = parseLine(caseEnd, line, i + 2).ended
    else steps.push(parseLine(caseStep, line, i + 2))
  }
  return { header, steps, ended }
}

/** Steps count from 1 again: some were left out. */
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
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new UnusableCase(`line ${number} is none of a case: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
}
