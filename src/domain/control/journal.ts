import type { Ports } from '../../ports.ts'
import type { JournalEntry, JournalMatch, JournalVerify } from '../../schemas/control/journal.ts'

type Journaled = Pick<Ports, 'journal'>

/** Entries shown when nothing fits an assertion. */
const NEAREST = 3

/** Newest first; `totalCount` is of all that fit. */
export function listJournal({ journal }: Journaled, match: JournalMatch, limit: number) {
  const fitting = [...journal.entries()].filter((entry) => fits(entry, match))
  return { entries: fitting.slice(0, limit), totalCount: fitting.length }
}

/**
 * Whether the journal holds exactly `count`, or `atLeast` so many (1 when neither is said), entries that fit; waits for
 * them up to `withinMs`, or until `signal` ends the wait. Too many never become fewer, so that is not waited for.
 */
export async function verifyJournal(
  ports: Journaled,
  { match, count, atLeast, withinMs }: JournalVerify,
  signal?: AbortSignal,
) {
  const { journal } = ports
  let left = withinMs
  for (;;) {
    const { entries, totalCount } = listJournal(ports, match, 100)
    const matched = count === undefined ? totalCount >= (atLeast ?? 1) : totalCount === count
    const hopeless = count !== undefined && totalCount > count
    if (matched || hopeless || left <= 0) {
      return { matched, count: totalCount, entries, nearest: totalCount === 0 ? findNearest(ports, match) : [] }
    }
    left = await journal.next(left, signal)
  }
}

/** Entries that fit the most of what was asked for. */
function findNearest({ journal }: Journaled, match: JournalMatch): JournalEntry[] {
  const ranked = [...journal.entries()].map((entry) => ({ entry, fitting: countFitting(entry, match) }))
  return ranked
    .filter(({ fitting }) => fitting > 0)
    .sort((a, b) => b.fitting - a.fitting)
    .slice(0, NEAREST)
    .map(({ entry }) => entry)
}

function fits(entry: JournalEntry, match: JournalMatch): boolean {
  return countFitting(entry, match) === Object.values(match).filter((value) => value !== undefined).length
}

function countFitting({ why, ...entry }: JournalEntry, match: JournalMatch): number {
  const given: JournalMatch = entry
  // A refusal has its own code and those of its findings.
  const codes = why ? [why.code, ...why.findings.map(({ code }) => code)] : []
  return Object.entries(match).filter(([name, value]) => {
    if (value === undefined) return false
    if (name === 'code') return codes.includes(String(value))
    const held = given[name as keyof JournalMatch]
    // The number of an operation may be written as text.
    return held === value || (name === 'operation' && String(held) === value)
  }).length
}
