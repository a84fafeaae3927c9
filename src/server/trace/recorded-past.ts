import type { Ports } from '../ports.ts'
import type { Turns } from '../ports/turns.ts'
import type { RecordChanges } from '../ports/store.ts'
import type { WorldPast } from '../ports/worlds.ts'
import type { CollectionName } from '../../contract/records/collections.ts'
import type { StoredRecord } from '../../contract/records/snapshot.ts'

/** How a recorded world stood behind a line of its case. */
interface Mark extends Pick<WorldPast, 'now' | 'faults' | 'head'> {
  /** So many transactions were committed by then. */
  commits: number
  /** Marks count in the order of their making: a call is marked at its end, behind the frames that it brought about. */
  order: number
}

/** All that was committed while a world is recorded, and how far that was behind each line. */
export class RecordedPast {
  readonly #commits: RecordChanges[] = []
  readonly #marks = new Map<object, Mark>()
  #order = 0

  wrote(changes: RecordChanges): void {
    this.#commits.push(changes)
  }

  /** `at`: where the clock stood for the line, unless the line has moved it. */
  mark(line: object, { clockControl, faults, bus }: Ports, at: number, movesClock = false): void {
    const { now, frozen } = clockControl.read()
    this.#marks.set(line, {
      commits: this.#commits.length,
      order: this.#order++,
      now: frozen || movesClock ? now : at,
      faults: faults.any() ? faults.list().filter(({ profile }) => profile === undefined) : [],
      head: bus.head(),
    })
  }

  /** How the world stood behind the last of these lines, by the latest mark of them all. */
  async read(lines: readonly object[], turns: Turns): Promise<(Mark & { changes: RecordChanges }) | undefined> {
    let latest: Mark | undefined
    for (const line of lines) {
      const mark = this.#marks.get(line)
      if (mark && (!latest || mark.order > latest.order)) latest = mark
    }
    return latest && { ...latest, changes: await mergeChanges(this.#commits.slice(0, latest.commits), turns) }
  }
}

async function mergeChanges(all: readonly RecordChanges[], turns: Turns): Promise<RecordChanges> {
  const merged = new Map<CollectionName, Map<string, StoredRecord | undefined>>()
  for (const changes of all) {
    for (const [name, records] of changes) {
      const known = merged.get(name) ?? new Map<string, StoredRecord | undefined>()
      merged.set(name, known)
      for (const [key, record] of records) known.set(key, record)
    }
    await turns.give()
  }
  return merged
}
