import type { Case, CaseStep } from '#contract/files/case.ts'
import { compareOutcome } from '../comparison.ts'
import { findChanges, type StoredRecords } from '../view/changes.ts'
import type { PlayedStep } from '../view/case-view.ts'
import { callOf, kindOf } from '../view/step-view.ts'
import { CasePlayer } from './case-player.ts'
import type { CaseServer } from './case-server.ts'

const MOST = 20

export interface Played {
  played: Record<string, PlayedStep>
  notes: string[]
}

/** Closes the server at the end. After `patience` milliseconds of real time, no further steps are played. */
export async function playCase({ header, steps }: Case, server: CaseServer, patience: number): Promise<Played> {
  const late = AbortSignal.timeout(patience)
  const player = await CasePlayer.open(header, server)
  const played: Record<string, PlayedStep> = {}
  const notes: string[] = []
  const { otherFixtures } = player
  if (otherFixtures) {
    const { name, version } = otherFixtures
    notes.push(`The fixtures "${name}" differ from those of the case, which was recorded with version ${version}.`)
  }
  let done = 0
  try {
    let records = await player.world.readRecords()
    for (const [i, step] of steps.entries()) {
      if (late.aborted) throw new Error(`it took longer than ${patience / 1000} s`)
      const came = await playStep(player, step, { records, next: steps[i + 1] })
      records = came.records
      if (Object.keys(came.step).length > 0) played[step.step] = came.step
      done = step.step
    }
  } catch (error) {
    const why = (error as Error).message.slice(0, 500)
    notes.push(`Rules and changes are shown only up to step ${done}, because of this error: ${why}`)
  } finally {
    await player.close()
  }
  return { played, notes }
}

async function playStep(
  player: CasePlayer,
  step: CaseStep,
  { records: before, next }: { records: StoredRecords; next: CaseStep | undefined },
): Promise<{ step: PlayedStep; records: StoredRecords }> {
  const outcome = await player.perform(step)
  // At this point, the clock has been moved to the time of the next step.
  if (kindOf(step) === 'clock' && next) await player.moveTo(next.at)
  const differs = compareOutcome(step, outcome, player.bindings)
  const hide = (text: string) => player.bindings.hide(text)
  const why =
    outcome.kind === 'reply' ? player.world.findReason(String(callOf(step)?.headers['x-request-id'])) : undefined
  const records = 'reply' in step ? await player.world.readRecords() : before
  const told = {
    ...(why && { why }),
    ...(differs.length > 0 && { differs: differs.slice(0, MOST) }),
  }
  const hidden = Object.keys(told).length > 0 ? (JSON.parse(hide(JSON.stringify(told))) as PlayedStep) : {}
  return { step: { ...hidden, ...findChanges(before, records, hide) }, records }
}
