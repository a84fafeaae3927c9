import type { Store, Transaction } from '../../ports.ts'
import type { WorldRecords } from '../record.ts'
import { createSerialQueue } from '../serial-queue.ts'
import { readersOf, writersOf } from '../memory/access.ts'
import { type Changes, Tables } from '../memory/tables.ts'
import { GroupCommit, type Persist } from './group-commit.ts'

export interface WriteThroughOptions {
  /** What is on disk already. */
  records: WorldRecords
  /** Rejects with Unavailable when the disk does not take the changes. */
  persist: Persist
  ping: () => Promise<void>
}

/**
 * Records in memory, each change on disk before anybody hears of it. Transactions run one after the other and don't
 * wait for the disk: the next one sees what the last one did, and both are acknowledged by one sync.
 */
export function createWriteThroughStore({ records, persist, ping }: WriteThroughOptions): Store {
  const tables = new Tables(records)
  const commits = new GroupCommit(persist, (changes) => tables.apply(changes))
  const inTurn = createSerialQueue()

  async function execute<T>(work: (tx: Transaction) => Promise<T>) {
    for (;;) {
      const { failures } = commits
      const changes: Changes = new Map()
      const [outcome] = await Promise.allSettled([attempt(work, changes)])
      // What it has read was dropped in between: that never happened.
      if (commits.failures !== failures) continue
      const durable = commits.add(outcome.status === 'fulfilled' ? changes : new Map())
      // The caller awaits it, but only once its turn is over.
      durable.catch(() => {})
      return { outcome, durable }
    }
  }

  async function attempt<T>(work: (tx: Transaction) => Promise<T>, changes: Changes): Promise<T> {
    const value = await work(writersOf(tables, changes, commits.pending))
    tables.assertUnique(changes, commits.pending)
    return value
  }

  return {
    ...readersOf(tables),
    async transaction(work) {
      const { outcome, durable } = await inTurn(() => execute(work))
      // A refusal too may rest on what is not yet on disk.
      await durable
      if (outcome.status === 'rejected') throw outcome.reason
      return outcome.value
    },
    ping,
    async close() {
      await inTurn(() => commits.drain())
    },
  }
}
