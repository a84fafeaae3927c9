import type { Journal, JournalRecord } from '../../ports/journal.ts'
import type { JournalEntry } from '../../../contract/records/control/journal.ts'

export interface SeenEntry {
  id: number
  record: JournalRecord
  /** The entry without its reply; it is read when somebody first asks. */
  readRequest(): JournalEntry
}

interface Visit {
  before: number
  after: number
  see(entry: SeenEntry): void
  end(failure?: unknown): void
}

/** The callers that wait for the reading that runs; they share the next one. */
const readings = new WeakMap<Journal, Visit[]>()

/**
 * Shows the entries between two ids, newest first. Who comes while others read shares one reading with all who do:
 * many at once parse each entry once.
 */
export function visitEntries(
  journal: Journal,
  range: Pick<Visit, 'before' | 'after'>,
  see: Visit['see'],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const visit = { ...range, see, end: (failure?: unknown) => (failure === undefined ? resolve() : reject(failure)) }
    const waiting = readings.get(journal)
    if (waiting) waiting.push(visit)
    else void readFor(journal, [visit])
  })
}

async function readFor(journal: Journal, first: Visit[]): Promise<void> {
  const waiting: Visit[] = first
  readings.set(journal, waiting)
  while (waiting.length > 0) {
    const visits = waiting.splice(0)
    const failure = await readOnce(journal, visits).catch((error: unknown) => error)
    for (const visit of visits) visit.end(failure)
  }
  readings.delete(journal)
}

async function readOnce(journal: Journal, visits: readonly Visit[]): Promise<void> {
  const before = Math.max(...visits.map((visit) => visit.before))
  const after = Math.min(...visits.map((visit) => visit.after))
  for await (const { id, record } of journal.scan({ before, after })) {
    let read: JournalEntry | undefined
    const entry: SeenEntry = { id, record, readRequest: () => (read ??= record.read(id, 'request')) }
    for (const visit of visits) if (id < visit.before && id > visit.after) visit.see(entry)
  }
}
