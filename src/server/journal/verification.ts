import type { Ports } from '../ports.ts'
import type { JournalRecord } from '../ports/journal.ts'
import { yielding } from '../ports/yielding.ts'
import type {
  JournalEntry,
  JournalMatch,
  JournalVerdict,
  JournalVerify,
  MatchDifference,
} from '#contract/records/control/journal.ts'
import type { RequestMatch } from '#contract/records/control/request-match.ts'
import { readStatusRange } from '#contract/records/status-range.ts'
import { isWithin } from './query.ts'
import { fitsContent, fitsLine, holds } from '../chaos/request-match.ts'

const MAX_ENTRIES = 100
const NEAREST = 3
/** Per criterion and entry. */
const MAX_DIFFERENCES = 20
/** Milliseconds from the end of the wait until the response is due. The search for the nearest entries then stops. */
const GRACE = 500

type Show = (entries: JournalEntry[]) => Promise<JournalEntry[]>

/**
 * Exactly `count`, or at least `atLeast` (default: 1), within `withinMs`. Returns at once if there are too many.
 * `show` can redact the entries of the verdict.
 */
export async function verifyJournal(
  { journal, clockControl }: Pick<Ports, 'clockControl' | 'journal'>,
  { match, count, atLeast, withinMs }: JournalVerify,
  signal?: AbortSignal,
  show: Show = async (entries) => entries,
): Promise<JournalVerdict> {
  const realTime = () => clockControl.read().realNow
  const until = realTime() + withinMs
  let found: JournalEntry[] = []
  let total = 0
  let seen = 0
  /** IDs of entries whose response was delayed. These entries are checked again. */
  let open: number[] = []
  const wanted = count ?? atLeast ?? 1
  let left = withinMs
  let nearest = new NearestEntries(match)
  for (;;) {
    const revision = journal.revision()
    const newest = journal.newest()
    if (newest < seen) [found, total, seen, open, nearest] = [[], 0, 0, [], new NearestEntries(match)]
    const fresh: JournalEntry[] = []
    const see = (id: number, record: JournalRecord) => {
      if (record.waits) return void open.push(id)
      const entry = seeEntry(id, record)
      if (fits(entry, match)) {
        total++
        if (fresh.length < MAX_ENTRIES) fresh.push(record.read(id))
      } else if (total < wanted && realTime() < until + GRACE) nearest.add(entry)
    }
    for await (const id of yielding(open.splice(0), signal)) {
      const record = journal.find(id)
      if (record) see(id, record)
    }
    const scan = journal.scan({ before: newest + 1, after: seen })
    for await (const { id, record } of yielding(scan, signal)) see(id, record)
    found = [...fresh, ...found].toSorted((a, b) => b.id - a.id).slice(0, MAX_ENTRIES)
    seen = newest
    const matched = count === undefined ? total >= wanted : total === count
    const hopeless = count !== undefined && total > count
    left = Math.min(left, until - realTime())
    if (matched || hopeless || left <= 0) {
      const similar = matched || hopeless ? [] : await nearest.read(show)
      return { matched, count: total, entries: await show(found), nearest: similar }
    }
    left = await journal.next(revision, left, signal)
  }
}

type ReadMatch = RequestMatch & Pick<JournalMatch, 'status' | 'requestId' | 'code'>

interface SeenEntry {
  id: number
  record: JournalRecord
  readHead(): JournalEntry
  readBody(): unknown
}

/** Reads the head and the body only if a criterion needs them, and at most once. */
function seeEntry(id: number, record: JournalRecord): SeenEntry {
  let head: JournalEntry | undefined
  let request: JournalEntry['request']
  return {
    id,
    record,
    readHead: () => (head ??= record.read(id, 'head')),
    readBody() {
      request ??= record.read(id, 'request').request
      return request?.fields ?? request?.body
    },
  }
}

/** Compares the summary first, then the head, because reading a body is slow. */
function fits(entry: SeenEntry, match: ReadMatch): boolean {
  const { body } = match
  return fitsSummary(entry, match) && fitsHead(entry, match) && (!body || holds(entry.readBody(), body))
}

function fitsSummary({ record }: SeenEntry, match: ReadMatch): boolean {
  const { status, requestId } = match
  if (status !== undefined && !fitsStatus(status, record.status)) return false
  if (requestId !== undefined && requestId !== record.requestId) return false
  return fitsLine(match, record)
}

function fitsStatus(expected: number | string, status: number | undefined): boolean {
  if (typeof expected === 'number') return expected === status
  const range = readStatusRange(expected)
  return range !== undefined && isWithin(range, status)
}

function fitsHead(entry: SeenEntry, { code, query, header }: ReadMatch): boolean {
  if (code === undefined && !query && !header) return true
  const head = entry.readHead()
  if (code !== undefined && !codesOf(head).includes(code)) return false
  return fitsContent({ query, header }, { query: head.query, headers: head.request?.headers })
}

function codesOf({ why }: JournalEntry): string[] {
  return why ? [why.code, ...why.findings.map(({ code }) => code)] : []
}

/** The entries that violate the fewest criteria. Entries that violate equally many are sorted newest first. */
class NearestEntries {
  readonly #match: ReadMatch
  readonly #criteria: readonly (readonly [name: string, match: ReadMatch])[]
  readonly #path: readonly string[]
  #found: { id: number; record: JournalRecord; differs: string[]; distance: number }[] = []

  constructor(match: ReadMatch) {
    this.#match = match
    this.#path = match.path?.split('/') ?? []
    const criteria = Object.entries(match).filter(([, value]) => value !== undefined)
    this.#criteria = criteria.map(([name, value]) => [name, { [name]: value }])
  }

  add(entry: SeenEntry): void {
    const { id, record } = entry
    const share = shareOfPath(record.path, this.#path)
    if (this.#isFarther(this.#leastOf(entry) - share, id)) return
    const differs = this.#criteria.filter(([, criterion]) => !fits(entry, criterion)).map(([name]) => name)
    const distance = differs.length - share
    this.#found.push({ id, record, differs, distance })
    this.#found.sort((a, b) => a.distance - b.distance || b.id - a.id)
    this.#found.splice(NEAREST)
  }

  #leastOf(entry: SeenEntry): number {
    return Math.max(1, this.#criteria.filter(([, criterion]) => !fitsSummary(entry, criterion)).length)
  }

  #isFarther(distance: number, id: number): boolean {
    const last = this.#found[NEAREST - 1]
    return last !== undefined && (distance > last.distance || (distance === last.distance && id < last.id))
  }

  async read(show: Show): Promise<JournalVerdict['nearest']> {
    const entries = this.#found.map(({ id, record }) => record.read(id))
    const shown = await show(entries)
    return this.#found.map(({ id, record, differs }, i) => {
      const entry = entries[i]!
      const seen: SeenEntry = { id, record, readHead: () => entry, readBody: () => readValue(entry, 'body') }
      return { ...shown[i]!, differs: differs.flatMap((name) => compare(seen, shown[i]!, name, this.#match)) }
    })
  }
}

/** Splits a criterion with fields, such as `query`, into the fields that differ. */
function compare(seen: SeenEntry, shown: JournalEntry, name: string, match: ReadMatch): MatchDifference[] {
  const expected: unknown = match[name as keyof ReadMatch]
  const actual = readValue(shown, name)
  const fields = fieldsOf(expected)
  if (fields.length === 0) return [{ name, expected, actual }]
  const values = new Map(fieldsOf(actual))
  return fields
    .filter(([field, value]) => !fits(seen, { [name]: { [field]: value } }))
    .slice(0, MAX_DIFFERENCES)
    .map(([field, value]) => {
      const actualValue = values.get(name === 'header' ? field.toLowerCase() : field)
      return { name: `${name}.${field}`, expected: value, actual: actualValue }
    })
}

const fieldsOf = (value: unknown): [string, unknown][] => (typeof value === 'object' ? Object.entries(value ?? {}) : [])

function readValue({ query, request, why, ...entry }: JournalEntry, name: string): unknown {
  if (name === 'query') return Object.fromEntries(new URLSearchParams(query))
  if (name === 'header') return request?.headers
  if (name === 'body') return request?.fields ?? request?.body
  if (name === 'code') return why?.code
  return entry[name as keyof typeof entry]
}

/** Proportion of equal segments from the start, or 0 if all are equal. */
function shareOfPath(path = '', wanted: readonly string[]): number {
  const given = path.split('/')
  let equal = 0
  while (equal < wanted.length && given[equal] === wanted[equal]) equal++
  return equal === wanted.length ? 0 : equal / (wanted.length + 1)
}
