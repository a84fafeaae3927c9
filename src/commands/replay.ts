import { parseCase, UnusableCase } from '../cases/case-file.ts'
import { compareOutcome } from '../cases/comparison.ts'
import type { Difference } from '../cases/structural-diff.ts'
import type { CaseStep } from '../schemas/control/case.ts'
import { CasePlayer } from './case-player.ts'
import { type CommandOutput, exitCodes, parseCommand, readText, requireOneFile, UsageError } from './command-line.ts'

/** What a replay has found: nothing, or the first step that differs. */
export interface ReplayReport {
  same: boolean
  steps: number
  first?: { step: number; what: string; differences: Difference[] }
}

const flag = { type: 'boolean' } as const

/** Makes the steps of a case again in a world of this process. */
export async function replay(args: string[], { stdout }: CommandOutput): Promise<number> {
  const { values, positionals } = parseCommand(args, { json: flag })
  const report = await replayText(await readText(requireOneFile(positionals)))
  stdout.write(values.json ? `${JSON.stringify(report)}\n` : describe(report))
  return report.same ? exitCodes.ok : exitCodes.findings
}

/** `settings` by the names of environment variables: where the world is kept. */
export async function replayText(text: string, settings?: Readonly<Record<string, string>>): Promise<ReplayReport> {
  try {
    return await replayCase(text, settings)
  } catch (error) {
    throw error instanceof UnusableCase
      ? new UsageError(`this is no case that can be replayed: ${error.message}`)
      : error
  }
}

async function replayCase(text: string, settings: Readonly<Record<string, string>> | undefined): Promise<ReplayReport> {
  const { header, steps } = parseCase(text)
  const player = await CasePlayer.open(header, settings)
  try {
    for (const step of steps) {
      const differences = compareOutcome(step, await player.perform(step), player.bindings)
      if (differences.length > 0) {
        return { same: false, steps: steps.length, first: { step: step.step, what: nameOf(step), differences } }
      }
    }
    const further = await player.takeFurther()
    if (further.length === 0) return { same: true, steps: steps.length }
    const differences = further.map((actual): Difference => ({ path: '', kind: 'further', actual }))
    return {
      same: false,
      steps: steps.length,
      first: { step: steps.length, what: 'behind the last step', differences },
    }
  } finally {
    await player.close()
  }
}

export function nameOf(step: CaseStep): string {
  if ('call' in step) return `${step.call.method} ${step.call.path}`
  if ('control' in step) return `${step.control.method} ${step.control.path}`
  if ('frame' in step) return `frame ${step.frame.event} ${step.frame.id ?? ''}`.trim()
  return 'mail' in step ? 'mail' : 'end of a stream'
}

function describe({ same, steps, first }: ReplayReport): string {
  if (same || !first) return `all ${steps} steps are the same\n`
  const lines = first.differences.map(describeDifference)
  return `step ${first.step} of ${steps} differs: ${first.what}\n${lines.join('')}`
}

export function describeDifference({ path, kind, recorded, actual }: Difference): string {
  const before = recorded === undefined ? '' : `    - ${JSON.stringify(recorded)}\n`
  const after = actual === undefined ? '' : `    + ${JSON.stringify(actual)}\n`
  return `  ${path} (${kind})\n${before}${after}`
}
