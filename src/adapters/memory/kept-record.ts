import { deepFreeze } from '../deep-freeze.ts'
import { readField } from './record-text.ts'
import type { Stored } from './sorted-records.ts'
import type { TextShelf } from './text-shelf.ts'

/** A record in a table, or the text of one that nobody has asked for. */
export type Entry = Stored | KeptRecord

/**
 * A record as it was kept: of the many in a large world few are ever asked for, and only those are made into values.
 * What it is found and sorted by is read out of the text.
 */
export class KeptRecord {
  #text: Buffer | undefined
  readonly #start: number
  readonly #end: number
  #record: Stored | undefined

  /** `text` is the record's JSON; it is copied. */
  constructor(text: Buffer, shelf: TextShelf) {
    this.#start = shelf.copy(text)
    this.#end = shelf.end
    this.#text = shelf.chunk
  }

  field(name: string): unknown {
    return this.#text ? readField(this.#text, this.#start, this.#end, name) : this.#record![name]
  }

  /** The same value each time. */
  read(): Stored {
    if (this.#text) {
      this.#record = deepFreeze(JSON.parse(this.#text.toString('utf8', this.#start, this.#end)) as Stored)
      this.#text = undefined
    }
    return this.#record!
  }
}

export function fieldOf(entry: Entry, name: string): unknown {
  return entry instanceof KeptRecord ? entry.field(name) : entry[name]
}

export function recordOf(entry: Entry): Stored {
  return entry instanceof KeptRecord ? entry.read() : entry
}
