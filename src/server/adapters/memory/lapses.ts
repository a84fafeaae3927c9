import type { Lapse } from '../../../contract/records/collections.ts'
import { nodeTurns } from '../node/turns.ts'
import { forEachInTurns } from '../node/for-each-in-turns.ts'
import type { Stored } from '../record.ts'
import { SortedRecords } from './sorted-records.ts'

interface Entry extends Stored {
  readonly at: number
  readonly key: string
  readonly record: Stored
  readonly lapsed: Stored
}

/**
 * Entries stand as of the instant that was asked for last. A later instant costs as much as records lapse in between.
 */
export class Lapses {
  readonly #lapse: Lapse
  readonly #key: string
  readonly #entries = new Map<string, Entry>()
  readonly #waiting = new SortedRecords('at', 'key')
  readonly #lapsed = new SortedRecords('at', 'key')
  readonly #over = new Set<Entry>()
  /** Records that must not get an entry while the entries are first made. */
  #gone: Set<Stored> | undefined
  #isOpen = false
  #move: Promise<void> = Promise.resolve()

  constructor(lapse: Lapse, key: string) {
    this.#lapse = lapse
    this.#key = key
  }

  get hasLapsed(): boolean {
    return this.#over.size > 0
  }

  shown(record: Stored): Stored {
    if (!this.hasLapsed) return record
    const entry = this.#entries.get(String(record[this.#key]))
    return entry && this.#over.has(entry) ? entry.lapsed : record
  }

  kept(shown: Stored): Stored {
    return this.hasLapsed ? (this.#entries.get(String(shown[this.#key]))?.record ?? shown) : shown
  }

  insert(record: Stored): void {
    if (this.#isOpen || this.#gone) this.#add(record)
  }

  remove(record: Stored): void {
    this.#gone?.add(record)
    const key = String(record[this.#key])
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    this.#waiting.remove(entry)
    this.#lapsed.remove(entry)
    this.#over.delete(entry)
  }

  /** Returns nothing to wait for where nothing changes; `replace` learns what the indexes must hold instead. */
  reach(
    asOf: number,
    all: () => Iterable<Stored>,
    replace: (old: Stored, now: Stored) => void,
  ): Promise<void> | undefined {
    if (this.#isOpen && this.#next(asOf) === undefined) return undefined
    const move = async () => {
      await this.#open(all)
      for (let entry = this.#next(asOf); entry; entry = this.#next(asOf)) {
        const { record, lapsed } = entry
        if (this.#over.delete(entry)) {
          this.#lapsed.remove(entry)
          this.#waiting.insert(entry)
          replace(lapsed, record)
        } else {
          this.#waiting.remove(entry)
          this.#lapsed.insert(entry)
          this.#over.add(entry)
          replace(record, lapsed)
        }
        const turn = nodeTurns.give()
        if (turn) await turn
      }
    }
    // Moves run one after the other: two for different instants would undo each other without end.
    this.#move = this.#move.then(move)
    return this.#move
  }

  #next(asOf: number): Entry | undefined {
    const [due] = this.#waiting.slice('asc', 0, 1) as Entry[]
    if (due && due.at <= asOf) return due
    const [back] = this.#lapsed.slice('desc', 0, 1) as Entry[]
    return back && back.at > asOf ? back : undefined
  }

  async #open(all: () => Iterable<Stored>): Promise<void> {
    if (this.#isOpen) return
    const gone = new Set<Stored>()
    this.#gone = gone
    const records = [...all()]
    await forEachInTurns(records, (record) => {
      if (!gone.has(record)) this.#add(record)
    })
    this.#gone = undefined
    this.#isOpen = true
  }

  #add(record: Stored): void {
    const at = this.#lapse.at(record)
    if (at === undefined) return
    const key = String(record[this.#key])
    const { field, becomes } = this.#lapse
    const entry: Entry = { at, key, record, lapsed: { ...record, [field]: becomes } }
    this.#entries.set(key, entry)
    this.#waiting.insert(entry)
  }
}
