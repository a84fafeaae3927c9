import type { Journal } from '../ports/journal.ts'
import type { JournalEntry } from '../schemas/journal.ts'

const CAPACITY = 10_000
/** Large bodies would make ten thousand entries more than a machine holds. */
const MAX_BYTES = 64 * 1024 * 1024

/** A ring: the newest 10,000, or as many as told, and about 64 MiB at most. */
export function createMemoryJournal(capacity = CAPACITY, maxBytes = MAX_BYTES): Journal {
  let ring: (((id: number) => JournalEntry) | undefined)[] = []
  let weights: number[] = []
  let bytes = 0
  /** How many there were ever, and how many of these are forgotten. */
  let count = 0
  let forgotten = 0
  let waiting: (() => void)[] = []

  return {
    record(draw, weight) {
      const slot = count++ % capacity
      bytes += weight - (weights[slot] ?? 0)
      ring[slot] = draw
      weights[slot] = weight
      forgotten = Math.max(forgotten, count - capacity)
      for (; bytes > maxBytes && forgotten < count - 1; forgotten++) {
        bytes -= weights[forgotten % capacity]!
        weights[forgotten % capacity] = 0
        ring[forgotten % capacity] = undefined
      }
      if (waiting.length === 0) return
      const woken = waiting
      waiting = []
      for (const wake of woken) wake()
    },
    *entries() {
      const newest = count
      for (let id = newest; id > forgotten; id--) {
        const draw = ring[(id - 1) % capacity]
        if (draw) yield draw(id)
      }
    },
    size: () => count - forgotten,
    next(withinMs) {
      return new Promise((resolve) => {
        const until = Date.now() + withinMs
        const wake = () => {
          clearTimeout(timer)
          resolve(until - Date.now())
        }
        // Who waits in vain, again and again, must leave nothing behind.
        const timer = setTimeout(() => {
          waiting = waiting.filter((each) => each !== wake)
          resolve(0)
        }, withinMs)
        waiting.push(wake)
      })
    },
    clear() {
      ring = []
      weights = []
      bytes = count = forgotten = 0
    },
  }
}
