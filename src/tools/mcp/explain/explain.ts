import type { JournalEntry } from '../../control-client/types.ts'
import type { WorldClient } from '../../control-client/world-client.ts'
import { type Call, type CallInput, toCall } from '../calls/call.ts'
import { withImage } from '../calls/image-form.ts'
import { toCallOf } from '../calls/entry-call.ts'
import { ToolError } from '../errors.ts'
import { explainIn, type Explanation, inFork, judge } from './explanation.ts'
import { explainFault, explainStruck } from './fault.ts'
import { fillHidden } from './hidden-parts.ts'
import { findStriking } from './striking-fault.ts'
import { type Refusal, refusalOf } from './refusal.ts'

// An explanation reads what refused the call (refusal.ts) and tells it in the documents' sentences (reasons/). Then
// menders (menders/) suggest changes by what there is in the world (known/), and the search (search.ts) makes the
// changed calls in a fork of the world until one passes.

/** The call is tried in a fork that is deleted afterwards, so the world itself does not change. */
export async function explainEntry(world: WorldClient, id: number): Promise<Explanation> {
  const entry = await world.journalEntry(id)
  if (entry.kind === 'frame') throw new ToolError(`entry ${id} is a frame of a stream, which no rule refuses`)
  const refusal = refusalOf(entry)
  if (refusal && refusal.faults.length > 0) return explainFault(world, entry, refusal)
  const call = toKnownCall(entry, refusal)
  return inFork(world, (fork) => explainIn(fork, call, { status: entry.status, refusal }))
}

/** Nobody has made this call yet; it is made in the fork alone. */
export async function explainCall(world: WorldClient, input: CallInput): Promise<Explanation> {
  const call = withImage(toCall(input))
  return inFork(world, async (fork) => {
    const striking = await findStriking(world, fork, call)
    if (striking) return explainStruck(fork, call, striking)
    return explainIn(fork, call, await judge(fork, call))
  })
}

/** A caller who was refused as such stays hidden, so that the menders look for another. */
function toKnownCall(entry: JournalEntry, refusal: Refusal | undefined): Call {
  const call = toCallOf(entry)
  return refusal?.status === 401 || refusal?.status === 403 ? call : fillHidden(call, entry).call
}
