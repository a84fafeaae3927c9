import type { Journal } from '../ports.ts'
import type { JournalEntry } from '../schemas/journal.ts'

const CAPACITY = 10_000

/** A ring: the newest 10,000, or as many as told. */
export function createMemoryJournal(capacity = CAPACITY): Journal {
  let ring: ((id: number) => JournalEntry)[] = []
  let count = 0
  let waiting: (() => void)[] = []

  return {
    record(draw) {
      ring[count++ % capacity] = draw
      if (waiting.length === 0) return
      const woken = waiting
      waiting = []
      for (const wake of woken) wake()
    },
    *entries() {
      const newest = count
      for (let id = newest; id > Math.max(0, newest - capacity); id--) {
        const draw = ring[(id - 1) % capacity]
        if (draw) yield draw(id)
      }
    },
    size: () => ring.length,
    next(withinMs) {
      return new Promise((resolve) => {
        const until = Date.now() + withinMs
        const timer = setTimeout(() => resolve(0), withinMs)
        waiting.push(() => {
          clearTimeout(timer)
          resolve(until - Date.now())
        })
      })
    },
    clear() {
      ring = []
      count = 0
    },
  }
}
