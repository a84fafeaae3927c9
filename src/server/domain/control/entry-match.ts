import type { JournalEntry } from '../../../contract/records/control/journal.ts'
import type { JournalMatch } from '../../../contract/records/control/journal-verification.ts'
import type { RequestMatch } from '../../../contract/records/control/request-match.ts'
import type { SeenEntry } from './journal-visits.ts'
import { fitsContent, fitsLine } from './request-match.ts'

export type ReadMatch = RequestMatch & Pick<JournalMatch, 'status' | 'requestId' | 'code'>

/** The summary is asked first, because reading an entry is expensive. */
export function fits(entry: SeenEntry, match: ReadMatch): boolean {
  const { record } = entry
  const { status, requestId, code, query, header, body } = match
  if (status !== undefined && status !== record.status) return false
  if (requestId !== undefined && requestId !== record.requestId) return false
  if (!fitsLine(match, record)) return false
  if (code === undefined && !query && !header && !body) return true
  const read = entry.readRequest()
  return (code === undefined || codesOf(read).includes(code)) && fitsContent(match, toMatched(read))
}

/** A refusal has its own code and those of its findings. */
function codesOf({ why }: JournalEntry): string[] {
  return why ? [why.code, ...why.findings.map(({ code }) => code)] : []
}

function toMatched({ query, request }: JournalEntry) {
  return { query, headers: request?.headers, body: request?.fields ?? request?.body }
}
