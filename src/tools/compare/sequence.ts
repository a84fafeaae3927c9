import { setTimeout as wait } from 'node:timers/promises'
import type { CallStep, CaseFrame, CaseStep } from '#contract/files/case.ts'
import type { HttpRequest } from '#contract/exchange.ts'
import type { Bindings } from '#contract/files/placeholders.ts'
import { knownFixtures } from '#contract/records/known-fixtures.ts'
import type { CasePlayer } from '../cases/player/case-player.ts'
import { isEventStream, type ReceivedResponse } from '../cases/player/request.ts'
import type { Evidence } from './candidates.ts'
import type { Comparison } from './comparison.ts'
import type { StoredExchanges } from './stored-exchanges.ts'
import type { Peer, Side } from './side.ts'
import type { Rate } from './rate.ts'

/** Frames come on their own; a stream that lags by more real time than this is compared as it is. */
const PATIENCE = 2000
const LOOK = 10

export interface SequencePlan {
  steps: readonly CaseStep[]
  /** Our world. Its clock is at each step's timestamp, so responses that depend on time are comparable. */
  player: CasePlayer
  ours: Side
  theirs: Peer
  comparison: Comparison
  /** Calls that write reach the upstream only where its owner allows them. */
  allows(asked: CallStep): boolean
  /** Without it the upstream is called as fast as it answers. */
  rate?: Rate | undefined
  /** Steps and replies for trials with other choices. */
  kept?: StoredExchanges
  evidence?: Evidence
}

interface OpenStream {
  asked: CallStep
  /** Frames of left-out steps are not expected, and those of a device's event only where the upstream sends them. */
  recorded: (CaseFrame & { isOptional: boolean })[]
}

/** Devices of the upstream act on their own, so our world plays what the devices of the case did. */
const DEVICE_EVENT = /^\/_control\/devices\/[^/?]+\/events/

export async function compareSequence(plan: SequencePlan): Promise<void> {
  const { steps, player, comparison } = plan
  const open = new Map<string, OpenStream>()
  // Frames come after the step that caused them.
  let cause: 'call' | 'device' | 'left out' = 'call'
  const settle = async (subscriptionId: string) => {
    const stream = open.get(subscriptionId)
    open.delete(subscriptionId)
    if (stream) await settleStream(plan, stream)
  }
  for (const step of steps) {
    plan.kept?.addStep(step)
    await player.moveTo(step.at)
    if ('control' in step) {
      comparison.left.control++
      cause = DEVICE_EVENT.test(step.control.path) ? 'device' : 'left out'
      if (cause === 'device') await player.perform(step)
    } else if ('frame' in step) {
      const { recorded } = open.get(step.frame.subscriptionId) ?? {}
      if (cause !== 'left out') recorded?.push({ ...step.frame, isOptional: cause === 'device' })
    } else if ('closed' in step) {
      await settle(step.closed.subscriptionId)
    } else if ('call' in step) {
      const [, subscriptionId = ''] = /^\/filters\/([^/?]+)/.exec(step.call.path) ?? []
      await settle(subscriptionId)
      const isStream = await compareCall(plan, step)
      cause = isStream === undefined ? 'left out' : 'call'
      if (isStream) open.set(subscriptionId, { asked: step, recorded: [] })
    }
  }
  for (const subscriptionId of open.keys()) await settle(subscriptionId)
}

/** Gives nothing for a left-out call, else whether a stream is open on both sides. */
async function compareCall(plan: SequencePlan, asked: CallStep): Promise<boolean | undefined> {
  const { player, ours, theirs, comparison } = plan
  const isAllowed = plan.allows(asked)
  if (isAllowed && !theirs.lacks(asked)) substitute(player.bindings, asked.call)
  if (!isAllowed || theirs.lacks(asked) || ours.lacks(asked)) {
    comparison.left[isAllowed ? 'secrets' : 'writes']++
    return undefined
  }
  await plan.rate?.pass()
  const [own, other] = await Promise.all([ours.ask(asked), theirs.ask(asked)])
  plan.kept?.addReply(asked.step, other)
  const isDifferent = comparison.take({ step: asked.step, call: asked.call, ours: own, theirs: other })
  if (isDifferent) plan.evidence?.see(asked, other)
  return isOpenStream(own) && isOpenStream(other)
}

const isOpenStream = ({ status, headers }: ReceivedResponse) => status === 200 && isEventStream(headers)

/** Waits until both sides have as many frames as the case, and as many as each other; kept frames are all there. */
async function settleStream(plan: SequencePlan, { asked, recorded }: OpenStream) {
  const { player, ours, theirs, comparison, kept } = plan
  const { step, call } = asked
  for (let left = PATIENCE; left > 0; left -= LOOK) {
    const [own, other] = [ours.countFrames(step), theirs.countFrames(step)]
    if ((own === other || !kept) && own >= Math.max(recorded.length, 1)) break
    await wait(LOOK)
  }
  const [all, other] = [ours.takeFrames(step, recorded), theirs.takeFrames(step, recorded)]
  let further = all.length - other.length
  // A device event that did not happen at the upstream is not a difference.
  const own = all
    .toReversed()
    .filter((_, i) => !(recorded[all.length - 1 - i]?.isOptional && further-- > 0))
    .toReversed()
  kept?.addFrames(step, other)
  comparison.takeFrames(step, call, own, other)
  const [, subscriptionId = ''] = /^\/filters\/([^/?]+)/.exec(ours.translate(call.path)) ?? []
  await player.whenLeft(subscriptionId)
}

const MARK = String.raw`\{\{token:(\d+)\}\}`
const [token] = knownFixtures.tokens
const [partner] = knownFixtures.partners
const [seller] = knownFixtures.sellers
const [web, , splus] = knownFixtures.callers
const [dealer] = knownFixtures.dealers

/** Lists the paths of a secret in a call, and the fixture callers that can replace it. */
const places = [
  [`"authorization":"Bearer ${MARK}"`, token],
  [`secret>${MARK}<`, seller],
  [`partnerCode=${MARK}`, partner],
  [`"vendorus-guid":"${MARK}"`, splus],
  [`vendorus-prof-?id(?:":"|=)${MARK}`, web],
] as const

/**
 * The upstream's callers are unknown to our fixtures, so a person of the fixtures calls in our world wherever a secret
 * has no value there.
 */
function substitute(bindings: Bindings, call: HttpRequest): void {
  const text = JSON.stringify(call)
  for (const [place, name] of places) {
    for (const [, n] of text.matchAll(new RegExp(place, 'gi'))) {
      const isDealer = name === web && call.path.includes('/dealer/')
      if (bindings.lacks(`{{token:${n}}}`)) bindings.set(Number(n), isDealer ? dealer : name)
    }
  }
}
