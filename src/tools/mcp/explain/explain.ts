import type { JournalEntry } from '../../control-client/types.ts'
import type { WorldClient } from '../../control-client/world-client.ts'
import { type Call, type CallInput, showCall, type ShownCall, toCall } from '../calls/call.ts'
import { toCallOf } from '../calls/entry-call.ts'
import { type Outcome, send } from '../calls/outcome.ts'
import { ToolError } from '../errors.ts'
import { menders } from './menders.ts'
import { listReasons, type Reason } from './reasons.ts'
import { refusalOf, refusalOfOutcome, type Refusal } from './refusal.ts'
import type { Ground } from './mender.ts'
import { findPassing, type Passing } from './search.ts'

/** Seconds of real time that a fork lives where nobody is left to delete it. */
const FORGOTTEN = 300

export interface Explanation {
  refused: boolean
  call: ShownCall
  status?: number
  reasons: Reason[]
  /** Calls that have to come before the nearest one. */
  first?: Passing['first']
  /** The call nearest to the refused one that passed in a fork of the world. */
  nearest?: { call: ShownCall; status: number; changes: string[] }
  tried: number
  told: string
}

/** Why a call was refused, and the nearest one that passes, which has been tried in a fork that is gone again. */
export async function explainEntry(world: WorldClient, id: number): Promise<Explanation> {
  const entry = await world.journalEntry(id)
  if (entry.kind === 'frame') throw new ToolError(`entry ${id} is a frame of a stream, which no rule refuses`)
  const call = toCallOf(entry)
  return inFork(world, (fork) => search(fork, call, readEntry(entry)))
}

/** The same of a call that nobody has made: it is made in the fork alone. */
export async function explainCall(world: WorldClient, input: CallInput): Promise<Explanation> {
  const call = toCall(input)
  return inFork(world, async (fork) => search(fork, call, readOutcome(await send(fork, call, { forMs: 300 }))))
}

/** Characters of a call that is changed and made again, up to forty times. */
const LARGEST = 100_000

function isTooLarge(call: Call): boolean {
  return JSON.stringify(showCall(call)).length > LARGEST
}

async function openGround(fork: WorldClient): Promise<Ground> {
  const { try: people } = await fork.status()
  return { fork, people }
}

interface Judged {
  status: number | undefined
  refusal: Refusal | undefined
}

const readEntry = (entry: JournalEntry): Judged => ({ status: entry.status, refusal: refusalOf(entry) })
const readOutcome = (outcome: Outcome): Judged => ({ status: outcome.status, refusal: refusalOfOutcome(outcome) })

async function inFork<T>(world: WorldClient, work: (fork: WorldClient) => Promise<T>): Promise<T> {
  const fork = (await world.world({ from: world.name, expiresIn: FORGOTTEN })) as WorldClient
  try {
    return await work(fork)
  } finally {
    await fork.delete().catch(() => {})
  }
}

async function search(fork: WorldClient, call: Call, { status, refusal }: Judged): Promise<Explanation> {
  const common = { call: showCall(call), ...(status !== undefined && { status }) }
  if (!refusal)
    return { ...common, refused: false, reasons: [], tried: 0, told: `it was not refused: ${status ?? 'open'}` }
  const { tried, passing } = isTooLarge(call)
    ? { tried: 0 }
    : await findPassing(await openGround(fork), { call, refusal }, menders)
  const reasons = listReasons(refusal, call.operation?.operation)
  const explained = { ...common, refused: true, reasons, tried }
  if (!passing) return { ...explained, told: `${sayReasons(reasons)} ${sayNothingFound(call, tried)}` }
  const { call: nearest, status: passed, changes, first } = passing
  return {
    ...explained,
    ...(first.length > 0 && { first }),
    nearest: { call: nearest, status: passed, changes },
    told: `${sayReasons(reasons)} ${sayFound(passing)}`,
  }
}

function sayReasons(reasons: readonly Reason[]): string {
  const [first, ...more] = reasons
  if (!first) return 'It was refused.'
  const rest = more.length === 0 ? '' : `, and ${more.length} more`
  return `Refused: ${first.message} (${first.source})${rest}.`
}

function sayFound({ changes, first, status }: Passing): string {
  const before = first.map(({ told }) => `First ${told}. `).join('')
  return `${before}The nearest call that passes: ${changes.join('; ')} (tried in a fork: ${status}).`
}

function sayNothingFound(call: Call, tried: number): string {
  const needs = call.operation?.contract.example?.needs
  const needed = needs === undefined ? '' : ` It needs ${needs}.`
  if (isTooLarge(call)) return `It is too large to be changed and tried: more than ${LARGEST} characters.`
  return `No call near it was found that passes; ${tried} were tried in a fork.${needed}`
}
