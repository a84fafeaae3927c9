import { WorldEnded } from '#server/ports/failures.ts'
import type { Message } from '#server/ports/bus.ts'
import type { Store, Transaction } from '#server/ports/store.ts'
import { createBatches } from '../batches.ts'
import { PendingOutbox, type WorldRecords } from '../record.ts'
import { readersOf, writersOf } from './access.ts'
import { type Changes, Tables } from './tables.ts'

export interface MemoryStoreOptions {
  records?: WorldRecords
  /** Runs before the changes become visible. If it rejects, none of them are stored. */
  persist?: (changes: Changes, messages: readonly Message[]) => Promise<void>
  whenApplied?: (changes: Changes, messages: readonly Message[]) => void
  ping?: () => Promise<void>
}

interface Waiting {
  run: (changes: Changes, outbox: PendingOutbox) => Promise<void>
  resolve: () => void
  reject: (error: unknown) => void
}

/** Maximum number of transactions in a group. A larger group would delay other work. */
const LARGEST_GROUP = 200

/** The transactions of a group run one after the other, and a single disk sync commits them. */
export function createMemoryStore(given: MemoryStoreOptions = {}) {
  const { records, persist, whenApplied, ping = async () => {} } = given
  const tables = new Tables(records)
  let isOpen = true
  const options = { lanes: 1, largest: LARGEST_GROUP, gathers: persist !== undefined }
  const commit = createBatches<Waiting>(options, async (group) => {
    const changes: Changes = new Map()
    const outbox = new PendingOutbox()
    for (const { run } of group) await run(changes, outbox)
    try {
      if (!isOpen) throw new WorldEnded()
      const { messages, hooks } = outbox
      if (changes.size > 0 || messages.length > 0) await persist?.(changes, messages)
      tables.apply(changes)
      for (const hook of hooks) hook()
      whenApplied?.(changes, messages)
      for (const { resolve } of group) resolve()
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  })

  async function attempt<T>(work: (tx: Transaction) => Promise<T>, earlier: Changes, group: PendingOutbox): Promise<T> {
    const changes: Changes = new Map()
    const outbox = new PendingOutbox()
    const value = await work(writersOf(tables, { changes, pending: earlier, outbox }))
    await tables.assertUnique(changes, earlier)
    outbox.messages.forEach(group.emit)
    outbox.hooks.forEach(group.afterCommit)
    for (const [name, rows] of changes) {
      const all = earlier.get(name) ?? new Map()
      earlier.set(name, all)
      for (const [key, record] of rows) all.set(key, record)
    }
    return value
  }

  async function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    let outcome: PromiseSettledResult<T>
    await new Promise<void>((resolve, reject) => {
      const run: Waiting['run'] = async (changes, outbox) => {
        ;[outcome] = await Promise.allSettled([attempt(work, changes, outbox)])
      }
      commit({ run, resolve, reject })
    })
    // An error is also reported only now: it may depend on earlier changes of the group, which had to be written first.
    if (outcome!.status === 'rejected') throw outcome!.reason
    return outcome!.value
  }

  return {
    ...readersOf(tables),
    transaction,
    share: () => tables.share(),
    ping,
    async close() {
      // Pending writes to the disk are completed first.
      if (persist) await transaction(async () => {}).catch(() => {})
      isOpen = false
    },
  } satisfies Store & { share(): WorldRecords }
}
