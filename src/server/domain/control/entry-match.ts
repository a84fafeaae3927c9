import type { JournalEntry } from '../../../contract/records/control/journal.ts'
import type { JournalMatch } from '../../../contract/records/control/journal-verification.ts'
import type { RequestMatch } from '../../../contract/records/control/request-match.ts'
import type { SeenEntry } from './journal-visits.ts'
import { fitsContent, fitsLine } from './request-match.ts'

export type ReadMatch = RequestMatch & Pick<JournalMatch, 'status' | 'requestId' | 'code'>

/** The summary is asked first, then the head, because reading a body is expensive. */
export function fits(entry: SeenEntry, match: ReadMatch): boolean {
  const { body } = match
  return fitsSummary(entry, match) && fitsHead(entry, match) && (!body || entry.openBody().holds(body))
}

export function fitsSummary({ record }: SeenEntry, match: ReadMatch): boolean {
  const { status, requestId } = match
  if (status !== undefined && status !== record.status) return false
  if (requestId !== undefined && requestId !== record.requestId) return false
  return fitsLine(match, record)
}

function fitsHead(entry: SeenEntry, { code, query, header }: ReadMatch): boolean {
  if (code === undefined && !query && !header) return true
  const head = entry.readHead()
  if (code !== undefined && !codesOf(head).includes(code)) return false
  return fitsContent({ query, header }, { query: head.query, headers: head.request?.headers })
}

/** A refusal has its own code and those of its findings. */
function codesOf({ why }: JournalEntry): string[] {
  return why ? [why.code, ...why.findings.map(({ code }) => code)] : []
}
