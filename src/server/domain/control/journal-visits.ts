import type { Ports } from '../../ports.ts'
import type { Journal, JournalRecord } from '../../ports/journal.ts'
import type { JournalEntry } from '../../../contract/records/control/journal.ts'

export interface SeenEntry {
  id: number
  record: JournalRecord
  /** The entry without its reply is read when somebody first asks. */
  readRequest(): JournalEntry
}

interface Visit {
  before: number
  after: number
  see(entry: SeenEntry): void
  end(failure?: unknown): void
}

type Read = Pick<Ports, 'journal' | 'turns'>

/** Callers that wait for the running reading share the next one. */
const readings = new WeakMap<Journal, Visit[]>()

/**
 * The newest entry comes first. Callers that come while others read share one reading, so many at once parse each entry
 * once.
 */
export function visitEntries(ports: Read, range: Pick<Visit, 'before' | 'after'>, see: Visit['see']): Promise<void> {
  return new Promise((resolve, reject) => {
    const visit = { ...range, see, end: (failure?: unknown) => (failure === undefined ? resolve() : reject(failure)) }
    const waiting = readings.get(ports.journal)
    if (waiting) waiting.push(visit)
    else void readFor(ports, [visit])
  })
}

async function readFor(ports: Read, first: Visit[]): Promise<void> {
  const waiting: Visit[] = first
  readings.set(ports.journal, waiting)
  while (waiting.length > 0) {
    const visits = waiting.splice(0)
    const failure = await readOnce(ports, visits).catch((error: unknown) => error)
    for (const visit of visits) visit.end(failure)
  }
  readings.delete(ports.journal)
}

async function readOnce({ journal, turns }: Read, visits: readonly Visit[]): Promise<void> {
  const before = Math.max(...visits.map((visit) => visit.before))
  const after = Math.min(...visits.map((visit) => visit.after))
  for await (const { id, record } of journal.scan({ before, after })) {
    let read: JournalEntry | undefined
    const entry: SeenEntry = { id, record, readRequest: () => (read ??= record.read(id, 'request')) }
    for (const visit of visits) {
      if (id < visit.before && id > visit.after) visit.see(entry)
      // A caller that shows the entry reads the whole of it.
      const turn = turns.give()
      if (turn) await turn
    }
  }
}
