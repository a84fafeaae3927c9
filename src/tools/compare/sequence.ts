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

/** Milliseconds of real time to wait for frames. After that, the stream is compared as it is. */
const PATIENCE = 2000
const LOOK = 10

export interface SequencePlan {
  steps: readonly CaseStep[]
  /** Player of the local world. Its clock is set to the time of each step, so that responses are comparable. */
  player: CasePlayer
  ours: Side
  theirs: Peer
  comparison: Comparison
  /** Requests that write are sent to the upstream only if the upstream's owner allows them. */
  allows(asked: CallStep): boolean
  /** Limits the requests to the upstream. Default: no limit. */
  rate?: Rate | undefined
  kept?: StoredExchanges
  evidence?: Evidence
}

interface OpenStream {
  asked: CallStep
  /** Frames of skipped steps are not expected. Frames of a device are expected only if the upstream sends them. */
  recorded: (CaseFrame & { isOptional: boolean })[]
}

/** The upstream's devices act on their own, so the local world repeats the device events of the case. */
const DEVICE_EVENT = /^\/_control\/devices\/[^/?]+\/events/

export async function compareSequence(plan: SequencePlan): Promise<void> {
  const { steps, player, comparison } = plan
  const open = new Map<string, OpenStream>()
  // The kind of step that caused the next frames. In a case, a step is followed by the frames that it caused.
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

/** Returns undefined if the request was skipped. Otherwise, returns whether a stream is open on both sides. */
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

/** Waits until both sides have as many frames as the case, and equally many. In a trial, their numbers may differ. */
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
  // A device event that occurred only in the local world is not a difference.
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

/** Paths of the secrets in a request, and the callers in the fixtures that can replace them. */
const places = [
  [`"authorization":"Bearer ${MARK}"`, token],
  [`secret>${MARK}<`, seller],
  [`partnerCode=${MARK}`, partner],
  [`"vendorus-guid":"${MARK}"`, splus],
  [`vendorus-prof-?id(?:":"|=)${MARK}`, web],
] as const

/** The fixtures lack the callers of the upstream, so a caller from the fixtures replaces an unknown secret. */
function substitute(bindings: Bindings, call: HttpRequest): void {
  const text = JSON.stringify(call)
  for (const [place, name] of places) {
    for (const [, n] of text.matchAll(new RegExp(place, 'gi'))) {
      const isDealer = name === web && call.path.includes('/dealer/')
      if (bindings.lacks(`{{token:${n}}}`)) bindings.set(Number(n), isDealer ? dealer : name)
    }
  }
}
