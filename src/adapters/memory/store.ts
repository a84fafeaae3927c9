import type { Store, Transaction } from '../../ports.ts'
import { readersOf, writersOf } from './access.ts'
import { type Changes, type InitialTables, Tables } from './tables.ts'

export interface MemoryStoreOptions {
  /** What the store holds at first. */
  tables?: InitialTables
}

export function createMemoryStore({ tables: initial }: MemoryStoreOptions = {}): Store {
  const tables = new Tables(initial)
  let lastTurn: Promise<unknown> = Promise.resolve()

  /** One transaction at a time: what it reads cannot change before its writes land. */
  function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const turn = lastTurn.then(async () => {
      const changes: Changes = new Map()
      const result = await work(writersOf(tables, changes))
      tables.assertUnique(changes)
      tables.apply(changes)
      return result
    })
    lastTurn = turn.catch(() => {})
    return turn
  }

  return { ...readersOf(tables), transaction, ping: async () => {}, close: async () => {} }
}
