import { type Case, UnusableCase, type CaseStep } from '#contract/files/case.ts'
import { compareOutcome } from '../comparison.ts'
import type { Difference } from '../structural-diff.ts'
import { CasePlayer } from './case-player.ts'
import type { CaseServer } from './case-server.ts'

export interface CasePoint {
  step: number
  /** JSON text in the format of `GET /_control/snapshot`. */
  snapshot: string
  /** Replaces secrets and their digests with the placeholders of the case. */
  hide(text: string): string
  /** First step whose outcome differs from the recording. The states after that step may differ too. */
  first?: { step: number; differences: readonly Difference[] } | undefined
}

/** Secrets that are not published in the fixtures have different values from those in the recording. */
export async function playPoints(
  { header, steps }: Case,
  wanted: readonly number[],
  server: CaseServer,
): Promise<CasePoint[]> {
  const player = await CasePlayer.open(header, server)
  try {
    const moments = new Map<number, CasePoint>()
    let first: CasePoint['first']
    for (let at = 0; at <= Math.max(...wanted); at++) {
      const step = steps[at - 1]
      const differences = step ? compareOutcome(step, await player.perform(step), player.bindings) : []
      if (differences.length > 0) first ??= { step: at, differences }
      if (!wanted.includes(at)) continue
      await player.stand(steps.slice(0, at))
      const snapshot = await player.takeSnapshot()
      moments.set(at, { step: at, snapshot, hide: (text) => player.bindings.hide(text, { digests: true }), first })
    }
    return wanted.map((at) => moments.get(at)!)
  } finally {
    await player.close()
  }
}

/** Default: the last step. Throws if the case has no such step. */
export function toStepNumber(steps: readonly CaseStep[], told: string | undefined): number {
  const step = told === undefined ? steps.length : Number(told)
  if (step <= steps.length && (told === undefined || /^[1-9]\d*$/.test(told))) return step
  throw new UnusableCase(`step ${told} does not exist. The case has ${toStepCount(steps.length)}`)
}

export const toStepCount = (count: number): string => (count === 1 ? '1 step' : `${count} steps`)
