import type { Journal, JournalRecord } from '#server/ports/journal.ts'
import { systemClock } from '../node/clock.ts'

const CAPACITY = 10_000
/** Limit in bytes, because ten thousand entries with large bodies would exhaust the memory of the machine. */
const MAX_BYTES = 64 * 1024 * 1024
/** Milliseconds before waiting readers are notified, so that many records cause one notification. */
const GATHERING = 5

/** A ring buffer with the newest entries: at most `capacity` entries (default: 10,000) and about 64 MiB. */
export function createMemoryJournal(capacity = CAPACITY, maxBytes = MAX_BYTES): Journal {
  let ring: (JournalRecord | undefined)[] = []
  const instants: number[] = []
  let bytes = 0
  /** IDs start at 1 again when the journal is cleared. */
  let count = 0
  let forgotten = 0
  let revision = 0
  const waiting = new Set<() => void>()
  let gathering: NodeJS.Timeout | undefined
  let ended: Error | undefined

  function forgetOldest(): void {
    const slot = forgotten++ % capacity
    bytes -= ring[slot]!.weight
    ring[slot] = undefined
  }

  function scheduleWake(): void {
    revision++
    if (waiting.size === 0 || gathering) return
    gathering = setTimeout(() => {
      gathering = undefined
      for (const wake of waiting) wake()
    }, GATHERING)
  }

  function weigh(weight: number): void {
    bytes += weight
    while (bytes > maxBytes && forgotten < count - 1) forgetOldest()
    scheduleWake()
  }

  const find = (id: number) => (id > forgotten && id <= count ? ring[(id - 1) % capacity] : undefined)
  function record(added: JournalRecord): number {
    if (count - forgotten === capacity) forgetOldest()
    instants[count % capacity] = systemClock.now()
    ring[count++ % capacity] = added
    weigh(added.weight)
    return count
  }

  return {
    record,
    complete(id, kept, whole) {
      if (find(id) !== kept) return void record(whole)
      ring[(id - 1) % capacity] = whole
      weigh(whole.weight - kept.weight)
    },
    *scan({ before = Number.POSITIVE_INFINITY, after = 0 } = {}) {
      const scanned = ring
      for (let id = Math.min(count, before - 1); id > after && id > forgotten; id--) {
        if (ring !== scanned) return
        const slot = (id - 1) % capacity
        if (id > forgotten) yield { id, record: ring[slot]!, instant: instants[slot]! }
      }
    },
    find,
    newest: () => count,
    revision: () => revision,
    async next(after, withinMs, signal) {
      signal?.throwIfAborted()
      if (ended) throw ended
      if (revision !== after || withinMs <= 0) return withinMs
      return waitToBeWoken(waiting, withinMs, signal)
    },
    clear() {
      ring = []
      bytes = count = forgotten = 0
      scheduleWake()
    },
    end(reason) {
      ended = reason
      scheduleWake()
    },
  }
}

function waitToBeWoken(waiting: Set<() => void>, withinMs: number, signal: AbortSignal | undefined): Promise<number> {
  const until = performance.now() + withinMs
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      waiting.delete(wake)
      signal?.removeEventListener('abort', giveUp)
    }
    const wake = () => {
      leave()
      resolve(Math.max(0, until - performance.now()))
    }
    const giveUp = () => {
      leave()
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      leave()
      resolve(0)
    }, withinMs)
    waiting.add(wake)
    signal?.addEventListener('abort', giveUp)
  })
}
