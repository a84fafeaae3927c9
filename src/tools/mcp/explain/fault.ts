import type { JournalEntry } from '../../control-client/types.ts'
import type { WorldClient } from '../../control-client/world-client.ts'
import { showCall } from '../calls/call.ts'
import { toCallOf } from '../calls/entry-call.ts'
import { explainIn, type Explanation, inFork, judge } from './explanation.ts'
import { type FilledCall, fillHidden } from './hidden-parts.ts'
import { listReasons } from './reasons/reasons.ts'
import type { Refusal } from './refusal.ts'

/** A fault that somebody provoked answered, no rule: the same call without it passes, or meets a rule. */
export async function explainFault(world: WorldClient, entry: JournalEntry, refusal: Refusal): Promise<Explanation> {
  const filled = fillHidden(toCallOf(entry), entry)
  const { call, lacksBody } = filled
  const common = {
    refused: true,
    call: showCall(call),
    ...(entry.status !== undefined && { status: entry.status }),
    reasons: listReasons(refusal, call.operation?.operation),
  }
  const told = [sayFault(entry, refusal), await sayDone(world, refusal), sayHidden(filled)]
  if (lacksBody) return { ...common, tried: 0, told: told.join('') }
  return inFork(world, async (fork) => {
    // A profile's faults are the fork's too.
    await fork.faults.clear()
    const { status = 0, refusal: rule } = await judge(fork, call)
    if (!rule) {
      const nearest = { call: common.call, status, changes: ['the call stays as it is, without the fault'] }
      return { ...common, nearest, tried: 1, told: `${told.join('')} Without it the call passes (${status}).` }
    }
    const { reasons, first, nearest, tried, told: next } = await explainIn(fork, call, { status, refusal: rule })
    return {
      ...common,
      reasons: [...common.reasons, ...reasons],
      ...(first && { first }),
      ...(nearest && { nearest }),
      tried: tried + 1,
      told: `${told.join('')} Without it the call meets this: ${next}`,
    }
  })
}

function sayFault({ status }: JournalEntry, { faults }: Refusal): string {
  const answered = status === undefined ? 'took the answer away' : `answered ${status}`
  return `The fault ${faults.join(', ')} ${answered}, and no rule refused.`
}

/** Of a fault that is not there any more nobody knows. */
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
