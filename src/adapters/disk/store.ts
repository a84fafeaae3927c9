import type { Store, Transaction } from '../../ports.ts'
import { readersOf, writersOf } from '../memory/access.ts'
import { type Changes, Tables } from '../memory/tables.ts'
import type { WorldRecords } from '../record.ts'

export interface WriteThroughOptions {
  /** What is on disk already. */
  records: WorldRecords
  /** Puts changes on disk, all or nothing; rejects with Unavailable when the disk does not take them. */
  persist: (changes: Changes) => Promise<void>
  ping: () => Promise<void>
}

interface Waiting {
  /** Does a transaction on top of what those before it in its group have done. */
  run: (changes: Changes) => Promise<void>
  resolve: () => void
  reject: (error: unknown) => void
}

/** More would hold up whatever else is to be done. */
const LARGEST_GROUP = 200

/**
 * Records in memory, each change on disk before anybody hears of it. Transactions that come while the disk is busy are
 * a group: they run one after the other, and one sync acknowledges them all.
 */
export function createWriteThroughStore({ records, persist, ping }: WriteThroughOptions): Store {
  const tables = new Tables(records)
  const waiting: Waiting[] = []
  let groups: Promise<void> | undefined

  async function commitGroups(): Promise<void> {
    while (waiting.length > 0) {
      // Whoever is ready in this turn comes along.
      await new Promise(setImmediate)
      const group = waiting.splice(0, LARGEST_GROUP)
      const changes: Changes = new Map()
      for (const { run } of group) await run(changes)
      try {
        if (changes.size > 0) await persist(changes)
        tables.apply(changes)
        for (const { resolve } of group) resolve()
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    groups = undefined
  }

  async function attempt<T>(work: (tx: Transaction) => Promise<T>, earlier: Changes): Promise<T> {
    const changes: Changes = new Map()
    const value = await work(writersOf(tables, changes, earlier))
    await tables.assertUnique(changes, earlier)
    for (const [name, rows] of changes) earlier.set(name, new Map([...(earlier.get(name) ?? []), ...rows]))
    return value
  }

  return {
    ...readersOf(tables),
    async transaction(work) {
      let outcome: PromiseSettledResult<Awaited<ReturnType<typeof work>>>
      await new Promise<void>((resolve, reject) => {
        const run = async (changes: Changes) => {
          ;[outcome] = await Promise.allSettled([attempt(work, changes)])
        }
        waiting.push({ run, resolve, reject })
        groups ??= commitGroups()
      })
      // A refusal too may rest on what was not yet on disk.
      if (outcome!.status === 'rejected') throw outcome!.reason
      return outcome!.value
    },
    ping,
    close: async () => groups,
  }
}
