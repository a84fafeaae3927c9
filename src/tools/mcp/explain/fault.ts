import type { JournalEntry } from '../../control-client/types.ts'
import type { Fault } from '../../../contract/records/control/fault.ts'
import type { WorldClient } from '../../control-client/world-client.ts'
import { type Call, showCall } from '../calls/call.ts'
import { IMAGE_SENT, isBuiltIn, withImage } from '../calls/image-form.ts'
import { toCallOf } from '../calls/entry-call.ts'
import { explainIn, type Explanation, inFork, judge } from './explanation.ts'
import { type FilledCall, fillHidden } from './hidden-parts.ts'
import { listReasons } from './reasons/reasons.ts'
import type { Refusal } from './refusal.ts'

const LONGEST_ANSWER = 200

/** No rule refused the call: a provoked fault answered it. Without the fault the same call passes, or meets a rule. */
export async function explainFault(world: WorldClient, entry: JournalEntry, refusal: Refusal): Promise<Explanation> {
  const filled = fillHidden(toCallOf(entry), entry)
  const { call, lacksBody } = filled
  const common = {
    refused: true,
    call: showCall(call),
    ...(entry.status !== undefined && { status: entry.status }),
    reasons: listReasons(refusal),
  }
  const told = [sayFault(entry, refusal), await sayDone(world, refusal), sayHidden(filled)]
  if (lacksBody) return { ...common, tried: 0, told: told.join('') }
  return inFork(world, async (fork) => {
    // The fork inherits the faults of the world's profile.
    await fork.faults.clear()
    return explainWithout(fork, call, { common, told: told.join('') })
  })
}

/** The fault would strike the call in the world; the fork does not have it. */
export async function explainStruck(fork: WorldClient, call: Call, fault: Fault): Promise<Explanation> {
  const { name, faultId, respond = {}, probability = 1, when } = fault
  const strikes = probability < 1 ? `may strike it (probability ${probability})` : 'would strike it'
  const told = `the fault ${name ?? faultId} ${strikes}`
  const reason = { code: 'Fault', message: told, source: 'the tool disturb' }
  const common = { refused: true, call: showCall(call), reasons: [reason] }
  const answer = JSON.stringify(respond).slice(0, LONGEST_ANSWER)
  const done = when === 'after' ? ', after the work is done' : ''
  return explainWithout(fork, call, {
    common,
    told: `T${told.slice(1)} in the world: ${answer}${done}.`,
  })
}

type Common = Pick<Explanation, 'refused' | 'call' | 'status' | 'reasons'>

async function explainWithout(
  fork: WorldClient,
  call: Call,
  { common, told }: { common: Common; told: string },
): Promise<Explanation> {
  const { status = 0, refusal: rule } = await judge(fork, call)
  if (!rule) {
    const changes = ['the call stays as it is, without the fault', ...(isBuiltIn(call) ? [IMAGE_SENT] : [])]
    const nearest = { call: showCall(withImage(call)), status, changes }
    return { ...common, nearest, tried: 1, told: `${told} Without it the call passes (${status}).` }
  }
  const { reasons, first, nearest, tried, told: next } = await explainIn(fork, call, { status, refusal: rule })
  return {
    ...common,
    reasons: [...common.reasons, ...reasons],
    ...(first && { first }),
    ...(nearest && { nearest }),
    tried: tried + 1,
    told: `${told} Without it the call meets this: ${next}`,
  }
}

function sayFault({ status }: JournalEntry, { faults }: Refusal): string {
  const answered = status === undefined ? 'took the answer away' : `answered ${status}`
  return `The fault ${faults.join(', ')} ${answered}, and no rule refused.`
}

/** A fault that is gone cannot tell whether work behind it was done. */
async function sayDone(world: WorldClient, { faults }: Refusal): Promise<string> {
  const { items } = await world.faults.list()
  const isDone = items.some(
    ({ faultId, name, when, respond = {} }) =>
      faults.includes(name ?? faultId) && (when === 'after' || 'cut' in respond || 'drip' in respond),
  )
  return isDone ? ' The work was done before: look at it, before the call is made again.' : ''
}

function sayHidden({ call: { operation }, assumed, lacksBody }: FilledCall): string {
  const hidden = assumed.length === 0 ? '' : ` The journal hides who called; in its place stands ${assumed.join(', ')}.`
  if (!lacksBody) return hidden
  const named = operation === undefined ? '' : ` (operation ${operation.operation}, with its body)`
  return `${hidden} It struck before the body was read, so the journal has none: explain the call itself${named} to see what it meets without the fault.`
}
