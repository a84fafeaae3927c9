import type { JournalRecord, Ports } from '../../ports.ts'
import type {
  JournalEntry,
  JournalMatch,
  JournalQuery,
  JournalVerdict,
  JournalVerify,
} from '../../schemas/control/journal.ts'
import type { RequestMatch } from '../../schemas/control/request-match.ts'
import { notFound } from '../errors.ts'
import { fitsContent, fitsLine } from './request-match.ts'

/** Newest first; `totalCount` is of all that fit, whatever page is asked for. */
export async function listJournal({ journal }: Ports, query: JournalQuery) {
  const { before = Number.POSITIVE_INFINITY, offset = 0, limit = Number.POSITIVE_INFINITY } = query
  const entries: JournalEntry[] = []
  let totalCount = 0
  let passed = 0
  for await (const { id, record } of journal.scan()) {
    if (!fitsQuery(record, id, query)) continue
    totalCount++
    if (id < before && passed++ >= offset && entries.length < limit) entries.push(record.read(id))
  }
  return { entries, totalCount }
}

export function getJournalEntry({ journal }: Ports, id: number): JournalEntry {
  const record = journal.find(id)
  if (!record) throw notFound(`the journal holds no entry ${id}`)
  return record.read(id)
}

export function fitsQuery(record: JournalRecord, id: number, query: JournalQuery): boolean {
  const { kind, status, refused, q, since } = query
  return (
    (since === undefined || record.at >= Date.parse(since)) &&
    (kind === undefined || kind === record.kind) &&
    (status === undefined || status === record.status) &&
    (refused === undefined || refused === (record.status ?? 0) >= 400) &&
    fitsLine(query, record) &&
    (q === undefined || holdsText(record.read(id), q))
  )
}

function holdsText({ path, query, request, response, frame }: JournalEntry, text: string): boolean {
  const wanted = text.toLowerCase()
  return [path, query, request?.headers, request?.body, response?.headers, response?.body, frame].some((part) => {
    if (part === undefined) return false
    return (typeof part === 'string' ? part : JSON.stringify(part)).toLowerCase().includes(wanted)
  })
}

type ReadMatch = RequestMatch & Pick<JournalMatch, 'status' | 'requestId' | 'code'>

const SHOWN = 100
const NEAREST = 3

/**
 * Whether the journal holds exactly `count`, or `atLeast` so many (1 when neither is said), entries that fit; waits for
 * them up to `withinMs`, or until `signal` ends the wait. Too many never become fewer, so that is not waited for. Each
 * entry is looked at once.
 */
export async function verifyJournal(
  ports: Ports,
  { match, count, atLeast, withinMs }: JournalVerify,
  signal?: AbortSignal,
): Promise<JournalVerdict> {
  const { journal } = ports
  let found: JournalEntry[] = []
  let total = 0
  let seen = 0
  let left = withinMs
  for (;;) {
    const newest = journal.newest()
    if (newest < seen) [found, total, seen] = [[], 0, 0]
    const fresh: JournalEntry[] = []
    for await (const { id, record } of journal.scan({ before: newest + 1, after: seen })) {
      if (!fits(record, id, match)) continue
      total++
      if (fresh.length < SHOWN) fresh.push(record.read(id))
    }
    found = [...fresh, ...found].slice(0, SHOWN)
    seen = newest
    const matched = count === undefined ? total >= (atLeast ?? 1) : total === count
    const hopeless = count !== undefined && total > count
    if (matched || hopeless || left <= 0) {
      const nearest = matched || total > 0 ? [] : await findNearest(ports, match)
      return { matched, count: total, entries: found, nearest }
    }
    left = await journal.next(seen, left, signal)
  }
}

/** What the summary tells is asked first: reading an entry is work. */
function fits(record: JournalRecord, id: number, match: ReadMatch): boolean {
  const { status, requestId, code, query, header, body } = match
  if (status !== undefined && status !== record.status) return false
  if (requestId !== undefined && requestId !== record.requestId) return false
  if (!fitsLine(match, record)) return false
  if (code === undefined && !query && !header && !body) return true
  const entry = record.read(id)
  return (code === undefined || codesOf(entry).includes(code)) && fitsContent(match, toMatched(entry))
}

/** Entries that fit the most of what was asked for, the newest first among equals. */
async function findNearest({ journal }: Ports, match: ReadMatch): Promise<JournalVerdict['nearest']> {
  const nearest: { id: number; record: JournalRecord; differs: string[]; distance: number }[] = []
  for await (const { id, record } of journal.scan()) {
    const differs = findDifferences(record, id, match)
    const distance = differs.length - shareOfPath(record.path, match.path)
    if (nearest.length === NEAREST && distance >= nearest.at(-1)!.distance) continue
    nearest.push({ id, record, differs, distance })
    nearest.sort((a, b) => a.distance - b.distance)
    nearest.splice(NEAREST)
  }
  return nearest.map(({ id, record, differs }) => ({ ...record.read(id), differs }))
}

function findDifferences(record: JournalRecord, id: number, match: ReadMatch): string[] {
  const criteria = Object.entries(match).filter(([, value]) => value !== undefined)
  return criteria.filter(([name, value]) => !fits(record, id, { [name]: value })).map(([name]) => name)
}

/** How much of a wanted path an entry's has from its beginning on: from 0 to less than 1. */
function shareOfPath(path = '', wanted = ''): number {
  const segments = wanted.split('/')
  const given = path.split('/')
  const other = segments.findIndex((segment, i) => segment !== given[i])
  return other < 0 ? 0 : other / (segments.length + 1)
}

/** A refusal has its own code and those of its findings. */
function codesOf({ why }: JournalEntry): string[] {
  return why ? [why.code, ...why.findings.map(({ code }) => code)] : []
}

function toMatched({ query, request }: JournalEntry) {
  return { query, headers: request?.headers, body: request?.fields ?? request?.body }
}
