import { leaveOutOwnFrames } from './errors.ts'
import type { JournalEntry, JournalMatch, JournalVerdict } from './types.ts'
import type { Expectation } from './inputs.ts'

/** The message lists the nearest entries and their differences, so that a failed test explains itself. */
export class UnexpectedRequests extends Error {
  /** Identifies this error even if several copies of the package are loaded. */
  override readonly name = 'UnexpectedRequests'
  /** Full response from the journal, for custom messages. */
  readonly verdict: JournalVerdict

  constructor(match: JournalMatch, expectation: Expectation, verdict: JournalVerdict) {
    super(describe(match, expectation, verdict))
    this.verdict = verdict
    leaveOutOwnFrames(this)
  }
}

/** Maximum number of characters that are shown of a value. Differences after these are rare. */
const LONGEST = 300

function describe(match: JournalMatch, { count, atLeast = 1 }: Expectation, verdict: JournalVerdict): string {
  const wanted = count ?? `at least ${atLeast}`
  const lines = [`expected ${wanted} of ${JSON.stringify(match)}, found ${verdict.count}`]
  for (const entry of verdict.entries) lines.push(describeEntry(entry))
  for (const { differs, ...entry } of verdict.nearest) {
    lines.push(`nearest: ${describeEntry(entry)}`)
    for (const name of differs) {
      if (name === 'query') lines.push(...describeQuery(entry, match.query))
      else lines.push(`  ${name} ${show(readValue(entry, name))}, not ${show(match[name as keyof JournalMatch])}`)
    }
  }
  if (verdict.count === 0 && verdict.nearest.length === 0) lines.push('The world received no requests.')
  return lines.join('\n')
}

function describeQuery({ query }: JournalEntry, match: JournalMatch['query'] = {}): string[] {
  const sent = new URLSearchParams(query)
  const differing = Object.entries(match).filter(([name, value]) => !sent.getAll(name).includes(value))
  return differing.map(([name, value]) => `  query.${name} is ${sent.get(name) ?? 'absent'}, not ${value}`)
}

function describeEntry({ id, method, path, query, status, frame, why, ignored = [] }: JournalEntry): string {
  if (frame) return `${id} frame ${frame.event} of ${frame.subscriptionId}`
  const address = `${path}${query ? `?${query}` : ''}`
  const unknown = ignored.map(({ name, near }) => `; ${name} was ignored${near ? `, near ${near}` : ''}`).join('')
  return `${id} ${method} ${address} ${status ?? 'not answered'}${why ? `: ${why.message}` : ''}${unknown}`
}

function readValue(entry: JournalEntry, name: string): unknown {
  if (name === 'header') return entry.request?.headers
  if (name === 'body') return entry.request?.fields ?? entry.request?.body
  if (name === 'code') return entry.why?.code
  return entry[name as keyof JournalEntry]
}

function show(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
