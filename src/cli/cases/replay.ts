import { parseCase, UnusableCase, type CaseStep } from '#contract/files/case.ts'
import { compareOutcome, type Outcome } from '#tools/cases/comparison.ts'
import type { Difference } from '#tools/cases/structural-diff.ts'
import { defineCommand } from '../command.ts'
import { toStepNumber } from '#tools/cases/player/case-points.ts'
import { CasePlayer } from '#tools/cases/player/case-player.ts'
import { addressOptions, jsonOption, toUrl } from '../client/client.ts'
import { exitCodes, readText, show, UsageError } from '../input-output.ts'
import { replayAgainst } from '#tools/cases/player/replay-against.ts'
import { nameOf } from '#tools/cases/view/step-view.ts'
import {
  cut,
  describeGroups,
  describeReplay,
  describeSkipped,
  type ReplayReport,
} from '#tools/cases/player/replay-report.ts'
import { readSecret, secretOption } from '../option-values.ts'
import { startCaseServer } from './start-case-server.ts'

export const replay = defineCommand({
  words: { '<FILE>': 'the case' },
  options: {
    until: { takes: 'N', about: 'Replay only steps 1 to N' },
    keep: {
      about: 'Keep a world in the state after the last step, on a running server or on a new one',
    },
    world: { takes: 'NAME', about: 'Name of that world (default: generated)' },
    ...addressOptions,
    against: { takes: 'URL', about: 'Send the calls to another server and group the differences' },
    'allow-writes': { about: 'With --against: also send calls that can change data' },
    secret: { ...secretOption, many: true },
    ...jsonOption,
  },
  example: 'replay failing.jsonl',
  async run({ values, words: [file = ''] }, output) {
    const { until, keep = false, url, key, world } = values
    const { json, against, secret = [], 'allow-writes': allowWrites = false } = values
    if (against === undefined && (allowWrites || secret.length > 0)) {
      throw new UsageError('--allow-writes and --secret require --against URL')
    }
    if (against !== undefined && (until !== undefined || keep)) {
      throw new UsageError('--until and --keep cannot be used with --against')
    }
    const { keepWorld, refuseWithoutKeep } = await import('./stored-world.ts')
    if (!keep) refuseWithoutKeep({ url, key, world })
    const given = await readText(file)
    if (keep) return asUsageError('replayed', () => keepWorld(given, { until, url, key, world, json }, output))
    if (against === undefined) {
      const report = await replayText(given, undefined, until)
      show(report, json, output, describeReplay)
      return report.same ? exitCodes.ok : exitCodes.findings
    }
    const asked = { url: toUrl(against), allowWrites, secrets: new Map(secret.map(readSecret)) }
    const report = await asUsageError('replayed', () => replayAgainst(given, asked))
    if (report.asked === 0) {
      const skipped = describeSkipped(report.left)
      throw new UsageError(`${file} has no calls to compare with ${against}${skipped === '' ? '' : `; ${skipped}`}`)
    }
    show(report, json, output, describeGroups)
    return report.same ? exitCodes.ok : exitCodes.findings
  },
})

export function replayText(
  given: string,
  settings?: Readonly<Record<string, string>>,
  until?: string,
): Promise<ReplayReport> {
  return asUsageError('replayed', async () => {
    const { header, steps: all } = parseCase(given)
    if (all.length === 0) throw new UnusableCase('it has no steps')
    const steps = all.slice(0, toStepNumber(all, until))
    const player = await CasePlayer.open(header, await startCaseServer(header, settings))
    const { otherFixtures } = player
    try {
      const first = await findDifference(player, steps, steps.length === all.length)
      return { ...(otherFixtures && { otherFixtures }), same: !first, steps: steps.length, ...(first && { first }) }
    } finally {
      await player.close()
    }
  })
}

/** `what` completes the error message and is a participle such as `compared`. Other errors are thrown unchanged. */
export async function asUsageError<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { name, message } = error as Error
    if (['UsageError', 'ConfigError', 'StartError', 'ControlError'].includes(name)) throw error
    throw new UsageError(`the case cannot be ${what}: ${cut(message)}`, { cause: error })
  }
}

async function findDifference(
  player: CasePlayer,
  steps: readonly CaseStep[],
  isComplete: boolean,
): Promise<ReplayReport['first']> {
  for (const step of steps) {
    const differences = compareOutcome(step, await perform(player, step), player.bindings)
    if (differences.length > 0) return { step: step.step, what: nameOf(step), differences }
  }
  // Frames and emails are separate steps, so those after `until` may arrive although the replay stops there.
  if (!isComplete) return undefined
  const further = await player.takeAdditional()
  const differences = further.map((actual): Difference => ({ path: '', kind: 'further', actual }))
  return differences.length > 0 ? { step: steps.length, what: 'after the last step', differences } : undefined
}

async function perform(player: CasePlayer, step: CaseStep): Promise<Outcome> {
  try {
    return await player.perform(step)
  } catch (error) {
    throw new UnusableCase(`step ${step.step}, ${nameOf(step)}, failed: ${(error as Error).message}`)
  }
}
