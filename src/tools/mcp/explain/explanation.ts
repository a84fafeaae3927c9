import type { WorldClient } from '../../control-client/world-client.ts'
import { type Call, showCall, type ShownCall } from '../calls/call.ts'
import { send } from '../calls/outcome.ts'
import { listReasons, type Reason } from './reasons/reasons.ts'
import { type Refusal, refusalOfOutcome } from './refusal.ts'
import { findPassing, type Passing } from './search.ts'

/** The fork deletes itself after so many seconds of real time, in case nobody is left to do it. */
const FORGOTTEN = 300
/** A call is changed and made again up to forty times, so its size is bounded. */
const LARGEST = 100_000

export interface Explanation {
  refused: boolean
  call: ShownCall
  status?: number
  reasons: Reason[]
  first?: Passing['first']
  /** This call passed in a fork of the world. */
  nearest?: { call: ShownCall; status: number; changes: string[] }
  tried: number
  told: string
}

export interface Judged {
  status: number | undefined
  refusal: Refusal | undefined
}

export async function judge(fork: WorldClient, call: Call): Promise<Judged> {
  const outcome = await send(fork, call, { forMs: 300 })
  return { status: outcome.status, refusal: refusalOfOutcome(outcome) }
}

export async function inFork<T>(world: WorldClient, work: (fork: WorldClient) => Promise<T>): Promise<T> {
  const fork = (await world.world({ from: world.name, expiresIn: FORGOTTEN })) as WorldClient
  try {
    return await work(fork)
  } finally {
    await fork.delete().catch(() => {})
  }
}

export async function explainIn(fork: WorldClient, call: Call, { status, refusal }: Judged): Promise<Explanation> {
  const common = { call: showCall(call), ...(status !== undefined && { status }) }
  if (!refusal) {
    return { ...common, refused: false, reasons: [], tried: 0, told: `it was not refused: ${status ?? 'open'}` }
  }
  const isLarge = JSON.stringify(common.call).length > LARGEST
  const { try: people } = await fork.status()
  const { tried, passing } = isLarge ? { tried: 0 } : await findPassing({ fork, people }, { call, refusal })
  const reasons = listReasons(refusal)
  const explained = { ...common, refused: true, reasons, tried }
  if (!passing) {
    const told = isLarge
      ? `It is too large to be changed and tried: more than ${LARGEST} characters.`
      : sayNothingFound(call, tried)
    return { ...explained, told: `${sayReasons(reasons)} ${told}` }
  }
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
  const count = ['none was', '1 was'][tried] ?? `${tried} were`
  return `No call near it was found that passes; ${count} tried in a fork.${needed}`
}
