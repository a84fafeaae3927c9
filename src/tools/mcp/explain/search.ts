import type { WorldClient } from '../../control-client/world-client.ts'
import { type Call, showCall, type ShownCall } from '../calls/call.ts'
import { IMAGE_SENT, isBuiltIn, withImage } from '../calls/image-form.ts'
import { type Outcome, send } from '../calls/outcome.ts'
import type { Before, Change, Ground, Refused } from './mender.ts'
import { menders } from './menders.ts'
import { isSame, refusalOfOutcome } from './refusal.ts'

/** The search is bounded in calls, in changes one after another, and in refused calls that one round continues from. */
const MOST_TRIED = 40
const MOST_CHANGES = 6
const WIDTH = 4
/** Faults of a profile may delay an answer without end. */
const PATIENCE = 5000
/** A stream that has opened within this time passes. */
const LOOK = 300

export interface Passing {
  call: ShownCall
  status: number
  changes: string[]
  first: { call: ShownCall; told: string }[]
}

interface State extends Refused {
  changes: string[]
  first: { call: ShownCall; told: string }[]
  /** The fork drew these values; the world would draw others, so names stand for them. */
  drawn: ReadonlyMap<string, string>
}

/** Few changes are tried before many, so the first call that passes is the nearest. */
export async function findPassing(ground: Ground, start: Refused): Promise<{ tried: number; passing?: Passing }> {
  const seen = new Set([keyOf(start.call)])
  let tried = 0
  let states: State[] = [{ ...start, changes: [], first: [], drawn: new Map() }]
  for (let round = 0; round < MOST_CHANGES && states.length > 0; round++) {
    const next: State[] = []
    for (const state of states) {
      for (const change of await findChanges(ground, state)) {
        if (seen.has(keyOf(change.call)) && !change.first && change.wait === undefined) continue
        seen.add(keyOf(change.call))
        if (++tried > MOST_TRIED) return { tried: MOST_TRIED }
        const made = await tryChange(ground.fork, state, change)
        if ('passing' in made) return { tried, passing: made.passing }
        if (made.state) next.push(made.state)
      }
    }
    // A call with fewer findings is nearer.
    states = next.sort((a, b) => a.refusal.findings.length - b.refusal.findings.length).slice(0, WIDTH)
  }
  return { tried }
}

/** Menders stand in the order of checks, so the first that knows a change is about what refused. */
async function findChanges(ground: Ground, state: Refused): Promise<Change[]> {
  for (const mend of menders) {
    const changes = await mend(ground, state)
    if (changes.length > 0) return changes.slice(0, 8)
  }
  return []
}

async function tryChange(
  fork: WorldClient,
  state: State,
  change: Change,
): Promise<{ passing: Passing } | { state: State | undefined }> {
  const drawn = new Map(state.drawn)
  const first = [...state.first]
  let { call } = change
  if (change.wait !== undefined) await fork.clock.advance(change.wait)
  if (change.first) {
    const reply = await attempt(fork, change.first.call)
    if (!reply?.passed) return { state: undefined }
    const { shown = change.first.call, told } = change.first
    first.push({ call: hide(showCall(shown), drawn), told })
    call = useReply(call, change.first, reply, drawn)
  }
  const reply = await attempt(fork, call)
  if (!reply) return { state: undefined }
  const changes = [...state.changes, change.told]
  if (reply.passed) {
    const told = isBuiltIn(call) ? [...changes, IMAGE_SENT] : changes
    return { passing: { call: hide(showCall(withImage(call)), drawn), status: reply.status, changes: told, first } }
  }
  const refusal = refusalOfOutcome(reply)!
  // A first step may be needed without being enough.
  return { state: isSame(refusal, state.refusal) ? undefined : { call, refusal, changes, first, drawn } }
}

function useReply(call: Call, { read }: Before, { body }: Outcome, drawn: Map<string, string>): Call {
  const value = read?.from(body)
  if (!read || value === undefined) return call
  drawn.set(value, `{{${read.name}}}`)
  return read.into(call, value)
}

/** A call that is not answered in time has not passed. */
async function attempt(fork: WorldClient, call: Call): Promise<Outcome | undefined> {
  try {
    return await send(fork, call, { forMs: LOOK, patience: PATIENCE })
  } catch {
    return undefined
  }
}

/** The world would draw another value for the first call, so no value of the fork is shown. */
function hide(shown: ShownCall, drawn: ReadonlyMap<string, string>): ShownCall {
  if (drawn.size === 0) return shown
  let text = JSON.stringify(shown)
  for (const [value, name] of drawn) text = text.replaceAll(value, name)
  return JSON.parse(text) as ShownCall
}

function keyOf(call: Call): string {
  return JSON.stringify([showCall(call)])
}
