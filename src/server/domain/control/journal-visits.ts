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
    openBody: () => (body ??= askOnce(record.openBody?.() ?? openRead(record.read(id, 'request')))),
  }
}

/** Many who verify at once often want the same, and whoever finds that an entry does not fit asks once more. */
function askOnce({ holds: judge }: SentBody): SentBody {
  const judged = new Map<unknown, boolean>()
  return {
    holds(wanted) {
      const asked = toAsked(wanted)
      const known = judged.get(asked)
      if (known !== undefined) return known
      const isHeld = judge(wanted)
      judged.set(asked, isHeld)
      return isHeld
    },
  }
}

/** Longer texts take longer to compare than a body to judge. */
const LONGEST_ASKED = 1000
const texts = new WeakMap<object, unknown>()

/** Equal bodies are wanted by one text. */
function toAsked(wanted: object): unknown {
  let text = texts.get(wanted)
  if (text === undefined) {
    const written = JSON.stringify(wanted)
    text = written.length <= LONGEST_ASKED ? written : wanted
    texts.set(wanted, text)
  }
  return text
}

function openRead({ request }: JournalEntry): SentBody {
  return { holds: (wanted) => holds(request?.fields ?? request?.body, wanted) }
}

interface Visit {
  before: number
  after: number
  turns: Ports['turns']
  see(entry: SeenEntry): void
  end(failure?: unknown): void
}

type Read = Pick<Ports, 'journal' | 'turns'>

/** Callers that wait for the running reading share the next one. */
const readings = new WeakMap<Journal, Visit[]>()

/**
 * The newest entry comes first. Callers that come while others read share one reading, so many at once parse each entry
 * once; each gives way with its own turns, and one that fails leaves the others to theirs.
 */
export function visitEntries(ports: Read, range: Pick<Visit, 'before' | 'after'>, see: Visit['see']): Promise<void> {
  const { journal, turns } = ports
  return new Promise((resolve, reject) => {
    const end = (failure?: unknown) => (failure === undefined ? resolve() : reject(failure))
    const visit = { ...range, turns, see, end }
    const waiting = readings.get(journal)
    if (waiting) waiting.push(visit)
    else void readFor(journal, [visit])
  })
}

async function readFor(journal: Journal, first: Visit[]): Promise<void> {
  const waiting: Visit[] = first
  readings.set(journal, waiting)
  while (waiting.length > 0) {
    const visits = new Set(waiting.splice(0))
    const failure = await readOnce(journal, visits).catch((error: unknown) => error)
    for (const visit of visits) visit.end(failure)
  }
  readings.delete(journal)
}

/** A visit that fails is ended and taken out. */
async function readOnce(journal: Journal, visits: Set<Visit>): Promise<void> {
  const before = Math.max(...[...visits].map((visit) => visit.before))
  const after = Math.min(...[...visits].map((visit) => visit.after))
  for await (const { id, record } of journal.scan({ before, after })) {
    const entry = seeEntry(id, record)
    for (const visit of visits) {
      try {
        // A caller that shows the entry reads the whole of it.
        const turn = visit.turns.give()
        if (turn) await turn
        if (id < visit.before && id > visit.after) visit.see(entry)
      } catch (error) {
        visits.delete(visit)
        visit.end(error)
      }
    }
    if (visits.size === 0) return
  }
}
