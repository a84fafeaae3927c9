import type { Ports } from '../ports.ts'
import type { JournalRecord } from '../ports/journal.ts'
import { yielding } from '../ports/yielding.ts'
import type { JournalEntry, JournalQuery } from '#contract/records/control/journal.ts'
import type { StatusRange } from '#contract/records/status-range.ts'
import { fitsLine } from '../chaos/request-match.ts'

/** Newest first. `totalCount` counts all matching entries. */
export async function listJournal({ journal }: Pick<Ports, 'journal'>, query: JournalQuery, signal?: AbortSignal) {
  const { before = Number.POSITIVE_INFINITY, offset = 0, limit = Number.POSITIVE_INFINITY } = query
  const entries: JournalEntry[] = []
  let totalCount = 0
  let passed = 0
  for await (const { id, record } of yielding(journal.scan(), signal)) {
    if (!fitsQuery(record, id, query)) continue
    totalCount++
    if (id < before && passed++ >= offset && entries.length < limit) entries.push(record.read(id))
  }
  return { entries, totalCount }
}

export function fitsQuery(record: JournalRecord, id: number, query: JournalQuery): boolean {
  const { kind, status, refused, q, since, traceId } = query
  return (
    (since === undefined || record.at >= Date.parse(since)) &&
    (kind === undefined || kind === record.kind) &&
    (status === undefined || isWithin(status, record.status)) &&
    (traceId === undefined || traceId === record.traceId) &&
    (refused === undefined || refused === (record.status ?? 0) >= 400) &&
    fitsLine(query, record) &&
    (q === undefined || holdsText(record.read(id), q))
  )
}

export function isWithin({ from, to }: StatusRange, status = 0): boolean {
  return status >= from && status <= to
}

function holdsText(entry: JournalEntry, text: string): boolean {
  const { method, path, status, query, request, response, frame } = entry
  const wanted = text.toLowerCase()
  const line = path && `${method} ${path}`
  return [line, status, query, request?.headers, request?.body, response?.headers, response?.body, frame].some(
    (part) => {
      if (part === undefined) return false
      return (typeof part === 'string' ? part : JSON.stringify(part)).toLowerCase().includes(wanted)
    },
  )
}
