import type { History, PublishedEvent } from '#server/ports/bus.ts'

/** The size in bytes is approximate. */
const MAX_EVENTS = 50_000
const MAX_BYTES = 32 * 1024 * 1024
/** Number of dropped events that are removed together, because each removal moves all remaining entries. */
const MAX_FORGOTTEN = 1000

/** Sequence numbers have no gaps, so the position of an event follows from the oldest number. */
export class EventLog {
  #events: PublishedEvent[] = []
  #sizes: number[] = []
  /** Entries before this position are dropped events, which are removed from time to time. */
  #start = 0
  #bytes = 0
  #head: number

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

/** Estimates the size, because serializing the event as JSON would take longer than sending it. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 16
  if (typeof value !== 'object' || value === null) return 8
  let size = 16
  for (const each of Object.values(value)) size += sizeOf(each)
  return size
}
