import type { Ports } from '../ports.ts'
import type { RecordChanges } from '../ports/store.ts'
import type { WorldPast } from '../ports/worlds.ts'
import { yielding } from '../ports/yielding.ts'
import type { CollectionName } from '#contract/records/collections.ts'
import type { StoredRecord } from '#contract/records/snapshot.ts'

interface Mark extends Pick<WorldPast, 'now' | 'faults' | 'head'> {
  commits: number
  /** Order of saving, not of the lines: the frames of a call come before the state after the call. */
  order: number
}

/** Past states, computed from the initial state and the commits up to a line, so nothing is copied. */
export class RecordedPast {
  readonly #commits: RecordChanges[] = []
  readonly #marks = new Map<object, Mark>()
  #order = 0

  wrote(changes: RecordChanges): void {
    this.#commits.push(changes)
  }

  /** Saves the state after a line. `at` is the clock's time, which is ignored if the line itself moved the clock. */
  mark(line: object, { clockControl, faults, bus }: Ports, at: number, movesClock = false): void {
    const { now, frozen } = clockControl.read()
    this.#marks.set(line, {
      commits: this.#commits.length,
      order: this.#order++,
      now: frozen || movesClock ? now : at,
      faults: faults.own(),
      head: bus.head(),
    })
  }

  /** Later lines may precede the end of a call, so the state that was saved last is used. */
  async read(lines: readonly object[]): Promise<(Mark & { changes: RecordChanges }) | undefined> {
    let latest: Mark | undefined
    for (const line of lines) {
      const mark = this.#marks.get(line)
      if (mark && (!latest || mark.order > latest.order)) latest = mark
    }
    return latest && { ...latest, changes: await mergeChanges(this.#commits.slice(0, latest.commits)) }
  }
}

async function mergeChanges(all: readonly RecordChanges[]): Promise<RecordChanges> {
  const merged = new Map<CollectionName, Map<string, StoredRecord | undefined>>()
  for await (const changes of yielding(all)) {
    for (const [name, records] of changes) {
      const known = merged.get(name) ?? new Map<string, StoredRecord | undefined>()
      merged.set(name, known)
      for (const [key, record] of records) known.set(key, record)
    }
  }
  return merged
}
