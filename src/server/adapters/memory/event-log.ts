import type { History, PublishedEvent } from '#server/ports/bus.ts'

/** Memory is bounded by the number of events and about by their bytes. */
const MAX_EVENTS = 50_000
const MAX_BYTES = 32 * 1024 * 1024
/** Cutting off each forgotten event would move all the others. */
const MAX_FORGOTTEN = 1000

/** Sequences have no holes, so an event is found by its distance from the oldest. */
export class EventLog {
  #events: PublishedEvent[] = []
  #sizes: number[] = []
  /** Events before this place are forgotten, and cut off from time to time. */
  #start = 0
  #bytes = 0
  #head: number

  /** `head` is the sequence before the first event. */
  constructor(head: number) {
    this.#head = head
  }

  get head(): number {
    return this.#head
  }

  get start(): number {
    return this.#head - this.#length
  }

  append(event: PublishedEvent): void {
    const size = sizeOf(event)
    this.#head = event.sequence
    this.#events.push(event)
    this.#sizes.push(size)
    this.#bytes += size
    while (this.#length > MAX_EVENTS || this.#bytes > MAX_BYTES) this.#bytes -= this.#sizes[this.#start++]!
    if (this.#start > MAX_FORGOTTEN) this.#cut()
  }

  after(sequence: number): History {
    const from = this.#start + Math.max(0, sequence - this.start)
    return { events: this.#events.slice(from), complete: sequence >= this.start }
  }

  get #length(): number {
    return this.#events.length - this.#start
  }

  #cut(): void {
    this.#events = this.#events.slice(this.#start)
    this.#sizes = this.#sizes.slice(this.#start)
    this.#start = 0
  }
}

/** A rough weight: writing an event as JSON would cost more than sending it. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 16
  if (typeof value !== 'object' || value === null) return 8
  let size = 16
  for (const each of Object.values(value)) size += sizeOf(each)
  return size
}
