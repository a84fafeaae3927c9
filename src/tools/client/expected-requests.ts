import { leaveOutOwnFrames } from './errors.ts'
import type { MatchDifference } from '#contract/records/control/journal.ts'
import type { JournalEntry, JournalMatch, JournalVerdict } from './types.ts'
import type { Expectation } from './inputs.ts'

/** The message lists the nearest entries and their differences, so that a failed test explains itself. */
export class UnexpectedRequests extends Error {
  /** Identifies this error even if several copies of the package are loaded. */
  override readonly name = 'UnexpectedRequests'
  /** Full response from the journal, for custom messages. */
  readonly verdict: JournalVerdict

  constructor(match: JournalMatch, expectation: Expectation, verdict: JournalVerdict, world: AddressedWorld) {
    super(describe(match, expectation, verdict, world))
    this.verdict = verdict
    leaveOutOwnFrames(this)
  }
}

interface AddressedWorld {
  /** Name of the world. */
  readonly name: string
  /** Base URL of the world, without a trailing slash. */
  readonly url: string
}

/** The most common cause is a client that uses the URL of the server, which selects the default world. */
export function describeNoRequests({ name, url }: AddressedWorld): string {
  return `World ${name} has no requests in its journal. Does the client use world.url (${url})?`
}

/** Maximum number of characters that are shown of a value. Differences after these are rare. */
const LONGEST = 300

function describe(
  match: JournalMatch,
  { count, atLeast = 1 }: Expectation,
  verdict: JournalVerdict,
  world: AddressedWorld,
): string {
  const wanted = count ?? `at least ${atLeast}`
  const lines = [`expected ${wanted} of ${JSON.stringify(match)}, found ${verdict.count}`]
  for (const entry of verdict.entries) lines.push(describeEntry(entry))
  for (const { differs, ...entry } of verdict.nearest) {
    lines.push(`nearest: ${describeEntry(entry)}`)
    lines.push(...differs.map((each) => `  ${describeDifference(each)}`))
  }
  if (verdict.count === 0 && verdict.nearest.length === 0) lines.push(describeNoRequests(world))
  return lines.join('\n')
}

function describeEntry({ id, method, path, query, status, frame, why, ignored = [] }: JournalEntry): string {
  if (frame) return `${id} frame ${frame.event} of ${frame.subscriptionId}`
  const address = `${path}${query ? `?${query}` : ''}`
  const unknown = ignored.map(({ name, near }) => `; ${name} was ignored${near ? `, near ${near}` : ''}`).join('')
  return `${id} ${method} ${address} ${status ?? 'not answered'}${why ? `: ${why.message}` : ''}${unknown}`
}

export function describeDifference({ name, expected, actual }: MatchDifference): string {
  return `${name}: expected ${show(expected)}, got ${show(actual)}`
}

function show(value: unknown): string {
  const text = value === undefined ? 'none' : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
