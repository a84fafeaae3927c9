import type { History, PublishedEvent } from '../../ports/bus.ts'

/** Bounds of what is kept: as many events, and about as many bytes. */
const MAX_EVENTS = 50_000
const MAX_BYTES = 32 * 1024 * 1024
/** Forgotten events that may lie before the oldest: cutting off each would move all the others. */
const MAX_FORGOTTEN = 1000

/** The recent events of a world, oldest first. Sequences run on without holes. */
export class EventLog {
  #events: PublishedEvent[] = []
  #sizes: number[] = []
  /** Where the oldest stands: what lies before it is forgotten, and cut off from time to time. */
  #start = 0
  #bytes = 0
  #head: number

  /** `head`: the sequence before the first event. */
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

/** About what an event weighs: its texts and a constant; writing it out as JSON would cost more than sending it. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 16
  if (typeof value !== 'object' || value === null) return 8
  let size = 16
  for (const each of Object.values(value)) size += sizeOf(each)
  return size
}
