import { type Store, WorldEnded } from '../../ports.ts'
import type { WorldRecords } from '../record.ts'
import { createSerialQueue } from '../serial-queue.ts'
import { readersOf, writersOf } from './access.ts'
import { type Changes, Tables } from './tables.ts'

export interface MemoryStoreOptions {
  /** What the store holds at first. */
  records?: WorldRecords
}

export function createMemoryStore({ records }: MemoryStoreOptions = {}): Store & { share(): WorldRecords } {
  const tables = new Tables(records)
  const inTurn = createSerialQueue()
  let isOpen = true
  return {
    ...readersOf(tables),
    /** One transaction at a time: what it reads cannot change before its writes land. */
    transaction: (work) =>
      inTurn(async () => {
        const changes: Changes = new Map()
        const result = await work(writersOf(tables, changes))
        await tables.assertUnique(changes)
        if (!isOpen) throw new WorldEnded()
        tables.apply(changes)
        return result
      }),
    share: () => tables.share(),
    ping: async () => {},
    close: async () => {
      isOpen = false
    },
  }
}
