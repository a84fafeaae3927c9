import type { Ports } from '../../ports.ts'
import type { JournalRecord } from '../../ports/journal.ts'
import type { JournalEntry } from '../../../contract/records/control/journal.ts'
import type { JournalVerdict, JournalVerify } from '../../../contract/records/control/journal-verification.ts'
import { type SeenEntry, seeEntry, visitEntries } from './journal-visits.ts'
import { type ReadMatch, fits, fitsSummary } from './entry-match.ts'

const SHOWN = 100
const NEAREST = 3
/** So long after the wait the answer is due, and nearest entries are no longer looked for. */
const GRACE = 500

/**
 * Expects exactly `count` entries, or `atLeast` so many (1 unless told), and waits up to `withinMs` or until `signal`
 * aborts. Too many never become fewer, so that is not waited for. Each entry is looked at once.
 */
export async function verifyJournal(
  ports: Pick<Ports, 'clockControl' | 'journal' | 'turns'>,
  { match, count, atLeast, withinMs }: JournalVerify,
  signal?: AbortSignal,
): Promise<JournalVerdict> {
  const { journal, clockControl, turns } = ports
  const realTime = () => clockControl.read().realNow
  const until = realTime() + withinMs
  let found: JournalEntry[] = []
  let total = 0
  let seen = 0
  /** Their replies were held up, so these entries are looked at again. */
  let open: number[] = []
  let left = withinMs
  let nearest = new NearestEntries(match)
  for (;;) {
    const revision = journal.revision()
    const newest = journal.newest()
    if (newest < seen) [found, total, seen, open, nearest] = [[], 0, 0, [], new NearestEntries(match)]
    const fresh: JournalEntry[] = []
    const see = (entry: SeenEntry) => {
      if (entry.record.waits) open.push(entry.id)
      else if (fits(entry, match)) {
        total++
        if (fresh.length < SHOWN) fresh.push(entry.record.read(entry.id))
      } else if (total === 0 && realTime() < until + GRACE) nearest.add(entry)
    }
    for (const id of open.splice(0)) {
      const record = journal.find(id)
      if (record) see(seeEntry(id, record))
      const turn = turns.give()
      if (turn) await turn
    }
    await visitEntries({ journal, turns }, { before: newest + 1, after: seen }, see)
    found = [...fresh, ...found].toSorted((a, b) => b.id - a.id).slice(0, SHOWN)
    seen = newest
    const matched = count === undefined ? total >= (atLeast ?? 1) : total === count
    const hopeless = count !== undefined && total > count
    left = Math.min(left, until - realTime())
    if (matched || hopeless || left <= 0) {
      const near = matched || total > 0 ? [] : await nearest.read(turns)
      return {
        matched,
        count: total,
        entries: found,
        nearest: near,
      }
    }
    left = await journal.next(revision, left, signal)
  }
}

/** The newest entry comes first among equals. */
class NearestEntries {
  readonly #criteria: readonly (readonly [name: string, match: ReadMatch])[]
  readonly #path: readonly string[]
  #found: { id: number; record: JournalRecord; differs: string[]; distance: number }[] = []

  constructor(match: ReadMatch) {
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

  /** At least so many criteria differ, at least one of all; heads and bodies are not read for it. */
  #leastOf(entry: SeenEntry): number {
    return Math.max(1, this.#criteria.filter(([, criterion]) => !fitsSummary(entry, criterion)).length)
  }

  #isFarther(distance: number, id: number): boolean {
    const last = this.#found[NEAREST - 1]
    return last !== undefined && (distance > last.distance || (distance === last.distance && id < last.id))
  }

  /** Many callers read their nearest entries at once, so each gives way right before it reads. */
  async read(turns: Ports['turns']): Promise<JournalVerdict['nearest']> {
    const read: JournalVerdict['nearest'] = []
    for (const { id, record, differs } of this.#found) {
      const turn = turns.give()
      if (turn) await turn
      read.push({ ...record.read(id), differs })
    }
    return read
  }
}

/** Counts the equal segments from the beginning: from 0 to less than 1. A path is not split for each entry. */
function shareOfPath(path = '', wanted: readonly string[]): number {
  let [equal, from] = [0, 0]
  for (const segment of wanted) {
    const end = from + segment.length
    if (!path.startsWith(segment, from) || (end < path.length && path[end] !== '/')) break
    equal++
    if (end >= path.length) break
    from = end + 1
  }
  return equal === wanted.length ? 0 : equal / (wanted.length + 1)
}
