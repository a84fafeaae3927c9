import type { JournalEntry } from '../client/types.ts'

export class Transcript {
  readonly entries: readonly JournalEntry[]
  readonly counts: ReadonlyMap<string, number>
  readonly #marks: ReadonlyMap<string, number>

  /** For each mark, `marks` contains the ID of the entry that was the newest one when the mark was set. */
  constructor(
    entries: readonly JournalEntry[],
    marks: ReadonlyMap<string, number> = new Map(),
    counts: ReadonlyMap<string, number> = new Map(),
  ) {
    this.entries = entries
    this.counts = counts
    this.#marks = marks
  }

  requests(...operations: readonly (number | string)[]): JournalEntry[] {
    return this.entries.filter(
      ({ kind, operation = '' }) => kind === 'request' && (operations.length === 0 || operations.includes(operation)),
    )
  }

  frames(): JournalEntry[] {
    return this.entries.filter(({ kind, frame }) => kind === 'frame' && frame?.event !== 'STREAM_END')
  }

  after(mark: string): Transcript {
    return this.#split(mark, (id, place) => id > place)
  }

  before(mark: string): Transcript {
    return this.#split(mark, (id, place) => id <= place)
  }

  #split(mark: string, isKept: (id: number, place: number) => boolean): Transcript {
    const place = this.#marks.get(mark) ?? Number.POSITIVE_INFINITY
    const kept = this.entries.filter(({ id }) => isKept(id, place))
    return new Transcript(kept, this.#marks, this.counts)
  }
}
