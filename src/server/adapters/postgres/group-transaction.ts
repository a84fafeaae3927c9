import { UniqueViolation } from '#server/ports/failures.ts'
import type { Outbox, Transaction } from '#server/ports/store.ts'
import type { CollectionName } from '#contract/records/collections.ts'
import { collectionOf, deepFreeze, type Stored, type StoredReader, toTransaction } from '../record.ts'
import { codeOf } from './failures.ts'
import { deleteRecord, putRecord, readerOver, translate } from './records.ts'
import type { Ask, Session } from './session.ts'
import { UniqueValues } from './unique-values.ts'

/** Set when the group begins; a failed transaction rolls back to this point. */
export const MARK = 'SAVEPOINT vendor_cloud'

/** Several transactions of the store share one of the database, one after the other. */
export class GroupTransaction {
  readonly #session: Session
  readonly #world: string
  /** Records that were read and not changed since need not be asked for again. */
  readonly #answers = new Map<CollectionName, Map<string, Promise<unknown>>>()
  #failure: unknown
  #isMarked = true
  #hasWritten = false

  constructor(session: Session, world: string) {
    this.#session = session
    this.#world = world
  }

  /** All of it happens or nothing. Rejects when the database has given up the whole group. */
  async run(
    work: (tx: Transaction) => Promise<unknown>,
    { exchanging, outbox }: { exchanging: boolean; outbox: Outbox },
  ): Promise<PromiseSettledResult<unknown>> {
    this.#failure = undefined
    const unique = exchanging ? new UniqueValues(this.#world, this.#ask) : undefined
    const attempt = async () => {
      const value = await work(this.#writers(unique, outbox))
      unique?.assertSettled()
      return value
    }
    const [outcome] = await Promise.allSettled([attempt()])
    // A failed statement counts even when the work has caught its error.
    const failure = this.#failure
    if (failure === undefined && outcome.status === 'fulfilled') {
      if (this.#hasWritten) this.#isMarked = this.#hasWritten = false
      return outcome
    }
    if (failure !== undefined && codeOf(failure) !== '23505') throw failure
    await this.#undo()
    const isTold = outcome.status === 'rejected' && outcome.reason instanceof UniqueViolation
    if (failure === undefined || isTold) return outcome
    return { status: 'rejected', reason: new UniqueViolation('a unique value is taken', { cause: failure }) }
  }

  readonly #ask: Ask = async (text, values) => {
    try {
      return await this.#session.ask(text, values)
    } catch (error) {
      this.#failure ??= error
      throw error
    }
  }

  #writers(unique: UniqueValues | undefined, outbox: Outbox): Transaction {
    return toTransaction((name) => {
      const { schema, key: keyField } = collectionOf(name)
      const put = (value: Stored) =>
        this.#write(name, async () => {
          const record: Stored = deepFreeze(schema.parse(value))
          await unique?.take(name, record)
          await putRecord(name, this.#world, record, this.#ask)
          unique?.settle(name, String(record[keyField]))
        })
      const remove = (key: string) =>
        this.#write(name, () => {
          unique?.settle(name, key)
          return deleteRecord(name, this.#world, key, this.#ask)
        })
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
    } catch (error) {
      throw translate(name, error)
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
