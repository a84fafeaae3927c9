import type { Ports } from '../../ports.ts'
import type { Journal, JournalRecord, SentBody } from '../../ports/journal.ts'
import type { JournalEntry } from '../../../contract/records/control/journal.ts'
import { holds } from './contained-values.ts'

export interface SeenEntry {
  id: number
  record: JournalRecord
  /** The entry without its bodies is read when somebody first asks. */
  readHead(): JournalEntry
  /** The request's body is opened when somebody first asks. */
  openBody(): SentBody
}

export function seeEntry(id: number, record: JournalRecord): SeenEntry {
  let head: JournalEntry | undefined
  let body: SentBody | undefined
  return {
    id,
    record,
    readHead: () => (head ??= record.read(id, 'head')),
    openBody: () => (body ??= record.openBody?.() ?? openRead(record.read(id, 'request'))),
  }
}

function openRead({ request }: JournalEntry): SentBody {
  return { holds: (wanted) => holds(request?.fields ?? request?.body, wanted) }
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
    const entry = seeEntry(id, record)
    for (const visit of visits) {
      if (id < visit.before && id > visit.after) visit.see(entry)
      // A caller that shows the entry reads the whole of it.
      const turn = turns.give()
      if (turn) await turn
    }
  }
}
