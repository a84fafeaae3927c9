import type { Journal } from '../../ports.ts'
import type { JournalEntry } from '../../schemas/control/journal.ts'
import { TextShelf } from './text-shelf.ts'

const CAPACITY = 10_000
/** Large bodies would make ten thousand entries more than a machine holds. */
const MAX_BYTES = 64 * 1024 * 1024

type Draw = (id: number) => JournalEntry
type DrawText = (text: string, id: number) => JournalEntry

/** A ring: the newest 10,000, or as many as told, and about 64 MiB at most. */
export function createMemoryJournal(capacity = CAPACITY, maxBytes = MAX_BYTES): Journal {
  const texts = new TextShelf()
  /** By slot: what makes the entry, of the text in these places if it has one. */
  let ring: (Draw | DrawText | undefined)[] = []
  let chunks: (Buffer | undefined)[] = []
  let starts: number[] = []
  let weights: number[] = []
  let bytes = 0
  /** How many there were ever, and how many of these are forgotten. */
  let count = 0
  let forgotten = 0
  let waiting: (() => void)[] = []

  function add(draw: Draw | DrawText, chunk: Buffer | undefined, start: number, weight: number): void {
    const slot = count++ % capacity
    bytes += weight - (weights[slot] ?? 0)
    ring[slot] = draw
    chunks[slot] = chunk
    starts[slot] = start
    weights[slot] = weight
    forgotten = Math.max(forgotten, count - capacity)
    for (; bytes > maxBytes && forgotten < count - 1; forgotten++) {
      const oldest = forgotten % capacity
      bytes -= weights[oldest]!
      weights[oldest] = 0
      ring[oldest] = chunks[oldest] = undefined
    }
    if (waiting.length > 0) wakeAll()
  }

  function wakeAll(): void {
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }

  function read(slot: number, id: number): JournalEntry | undefined {
    const [draw, chunk, start] = [ring[slot], chunks[slot], starts[slot]!]
    if (!chunk) return (draw as Draw | undefined)?.(id)
    return (draw as DrawText)(chunk.toString('utf8', start, start + weights[slot]!), id)
  }

  return {
    record: (draw, weight) => add(draw, undefined, 0, weight),
    recordText(text, draw) {
      const start = texts.put(text)
      add(draw, texts.chunk, start, texts.end - start)
    },
    *entries() {
      const newest = count
      for (let id = newest; id > forgotten; id--) {
        const entry = read((id - 1) % capacity, id)
        if (entry) yield entry
      }
    },
    size: () => count - forgotten,
    next(withinMs, signal) {
      return new Promise((resolve, reject) => {
        signal?.throwIfAborted()
        const until = Date.now() + withinMs
        // Who waits in vain, again and again, must leave nothing behind.
        const leave = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', giveUp)
          waiting = waiting.filter((each) => each !== wake)
        }
        const wake = () => {
          leave()
          resolve(Math.max(0, until - Date.now()))
        }
        const giveUp = () => {
          leave()
          reject(signal?.reason as Error)
        }
        const timer = setTimeout(wake, withinMs)
        signal?.addEventListener('abort', giveUp)
        waiting.push(wake)
      })
    },
    clear() {
      ring = []
      chunks = []
      starts = []
      weights = []
      bytes = count = forgotten = 0
    },
  }
}
