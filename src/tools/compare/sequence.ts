import { setTimeout as wait } from 'node:timers/promises'
import type { CaseFrame, CaseStep, CallStep } from '#contract/files/case.ts'
import { isEventStream, type ReceivedResponse } from '../cases/player/request.ts'
import type { Evidence } from './candidates.ts'
import type { Comparison } from './comparison.ts'
import type { KeptExchanges } from './kept-exchanges.ts'
import type { OurWorld } from './our-world.ts'
import type { Peer } from './side.ts'

/** Frames come on their own; a stream that lags by more real time than this is compared as it is. */
const PATIENCE = 2000
const LOOK = 10

export interface SequencePlan {
  steps: readonly CaseStep[]
  ours: OurWorld
  theirs: Peer
  comparison: Comparison
  /** Calls that write reach the upstream only where its owner allows them. */
  allows(asked: CallStep): boolean
  /** Called before each call to the upstream, which sets the pace. */
  pace?(): Promise<void>
  /** Steps and replies for trials with other choices. */
  kept?: KeptExchanges
  evidence?: Evidence
}

interface OpenStream {
  asked: CallStep
  /** Frames of left-out steps are not expected. */
  recorded: CaseFrame[]
}

export async function compareSequence(plan: SequencePlan): Promise<void> {
  const { steps, ours, comparison } = plan
  const open = new Map<string, OpenStream>()
  // Frames stand behind the step that brought them about.
  let isLeftOut = false
  const settle = async (subscriptionId: string) => {
    const stream = open.get(subscriptionId)
    open.delete(subscriptionId)
    if (stream) await settleStream(plan, stream)
  }
  for (const step of steps) {
    plan.kept?.addStep(step)
    await ours.moveTo(step.at)
    if ('control' in step) {
      comparison.left.control++
      isLeftOut = true
    } else if ('frame' in step) {
      if (!isLeftOut) open.get(step.frame.subscriptionId)?.recorded.push(step.frame)
    } else if ('closed' in step) {
      await settle(step.closed.subscriptionId)
    } else if ('call' in step) {
      const [, subscriptionId = ''] = /^\/filters\/([^/?]+)/.exec(step.call.path) ?? []
      await settle(subscriptionId)
      const isStream = await compareCall(plan, step)
      isLeftOut = isStream === undefined
      if (isStream) open.set(subscriptionId, { asked: step, recorded: [] })
    }
  }
  for (const subscriptionId of open.keys()) await settle(subscriptionId)
}

/** Gives nothing for a left-out call, else whether a stream is open on both sides. */
async function compareCall(plan: SequencePlan, asked: CallStep): Promise<boolean | undefined> {
  const { ours, theirs, comparison } = plan
  const isAllowed = plan.allows(asked)
  if (!isAllowed || theirs.lacks(asked) || ours.lacks(asked)) {
    comparison.left[isAllowed ? 'secrets' : 'writes']++
    return undefined
  }
  await plan.pace?.()
  const [own, other] = await Promise.all([ours.ask(asked), theirs.ask(asked)])
  plan.kept?.addReply(asked.step, other)
  const isDifferent = comparison.take({ step: asked.step, call: asked.call, ours: own, theirs: other })
  if (isDifferent) plan.evidence?.see(asked, other)
  return isOpenStream(own) && isOpenStream(other)
}

const isOpenStream = ({ status, headers }: ReceivedResponse) => status === 200 && isEventStream(headers)

/** Waits until both sides have as many frames as the case, and as many as each other. */
async function settleStream({ ours, theirs, comparison, kept }: SequencePlan, { asked, recorded }: OpenStream) {
  const { step, call } = asked
  for (let left = PATIENCE; left > 0; left -= LOOK) {
    const [own, other] = [ours.countFrames(step), theirs.countFrames(step)]
    if (own === other && own >= Math.max(recorded.length, 1)) break
    await wait(LOOK)
  }
  const [own, other] = [ours.takeFrames(step, recorded), theirs.takeFrames(step, recorded)]
  kept?.addFrames(step, other)
  comparison.takeFrames(step, call, own, other)
  await ours.hasLeft(call)
}
