import { UniqueViolation } from '#server/ports/failures.ts'
import type { Outbox, Transaction } from '#server/ports/store.ts'
import type { CollectionName } from '#contract/records/collections.ts'
import { collectionOf, deepFreeze, type Stored, type StoredReader, toTransaction } from '../record.ts'
import { codeOf } from './failures.ts'
import { deleteRecord, putRecord, readerOver } from './records.ts'
import type { Ask, Session } from './session.ts'

/** A transaction of the group starts here. If it fails, only it is rolled back. */
export const MARK = 'SAVEPOINT vendor_cloud'
/** Unique constraints are checked at the end of a transaction, because its records may swap unique values. */
const CHECK_UNIQUE = 'SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED'

export class GroupTransaction {
  readonly #session: Session
  readonly #world: string
  /** Query results by key. A record is read again only if it has changed since. */
  readonly #answers = new Map<CollectionName, Map<string, Promise<unknown>>>()
  #failure: unknown
  #isMarked = true
  #hasWritten = false
  #hasUniqueValues = false

  constructor(session: Session, world: string) {
    this.#session = session
    this.#world = world
  }

  /** All changes of `work` or none. Rejects if the database has aborted the entire group. */
  async run(work: (tx: Transaction) => Promise<unknown>, outbox: Outbox): Promise<PromiseSettledResult<unknown>> {
    this.#failure = undefined
    this.#hasUniqueValues = false
    const attempt = async () => {
      const value = await work(this.#writers(outbox))
      if (this.#hasUniqueValues) await this.#noteFailure(this.#session.send(CHECK_UNIQUE))
      return value
    }
    const [outcome] = await Promise.allSettled([attempt()])
    // A failed statement aborts the transaction even if `work` has caught the error.
    const failure = this.#failure
    if (failure === undefined && outcome.status === 'fulfilled') {
      if (this.#hasWritten) this.#isMarked = this.#hasWritten = false
      return outcome
    }
    if (failure !== undefined && codeOf(failure) !== '23505') throw failure
    await this.#undo()
    if (failure === undefined) return outcome
    return { status: 'rejected', reason: new UniqueViolation('a unique value is taken', { cause: failure }) }
  }

  readonly #ask: Ask = (text, values) => this.#noteFailure(this.#session.ask(text, values))

  async #noteFailure<T>(statement: Promise<T>): Promise<T> {
    try {
      return await statement
    } catch (error) {
      this.#failure ??= error
      throw error
    }
  }

  #writers(outbox: Outbox): Transaction {
    return toTransaction((name) => {
      const { schema, indexes } = collectionOf(name)
      const put = (value: Stored) =>
        this.#write(name, () => {
          this.#hasUniqueValues ||= indexes.some(({ unique }) => unique)
          return putRecord(name, this.#world, deepFreeze(schema.parse(value)), this.#ask)
        })
      const remove = (key: string) => this.#write(name, () => deleteRecord(name, this.#world, key, this.#ask))
      return { ...this.#reader(name), put, delete: remove }
    }, outbox)
  }

  #reader(name: CollectionName): StoredReader {
    const reader = readerOver(name, this.#world, this.#ask)
    const once = <T>(question: readonly unknown[], read: () => Promise<T>): Promise<T> => {
      const answers = this.#answers.get(name) ?? new Map<string, Promise<unknown>>()
      this.#answers.set(name, answers)
      const text = JSON.stringify(question)
      const answer = (answers.get(text) as Promise<T> | undefined) ?? read()
      answers.set(text, answer)
      return answer
    }
    return {
      get: (key) => once(['get', key], () => reader.get(key)),
      find: async (asked) => [...(await once(['find', asked], () => reader.find(asked)))],
      count: (where) => once(['count', where], () => reader.count(where)),
    }
  }

  async #write<T>(name: CollectionName, write: () => Promise<T>): Promise<T> {
    const mark = this.#isMarked ? undefined : `RELEASE ${MARK}; ${MARK}`
    this.#isMarked = this.#hasWritten = true
    try {
      if (mark) await this.#session.send(mark)
      return await write()
    } finally {
      this.#answers.delete(name)
    }
  }

  async #undo(): Promise<void> {
    if (this.#hasWritten) await this.#session.send(`ROLLBACK TO ${MARK}`)
    this.#hasWritten = false
    this.#answers.clear()
  }
}
