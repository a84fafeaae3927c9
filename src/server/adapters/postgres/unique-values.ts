import { UniqueViolation } from '#server/ports/failures.ts'
import type { CollectionName } from '#contract/records/collections.ts'
import { equalColumn, table } from './layout.ts'
import type { Ask } from './session.ts'
import { toBytes, toEqual } from './values.ts'
import { collectionOf, type Stored } from '../record.ts'

/**
 * The database checks each statement by itself (not every database can check at the end), so a value is taken from its
 * holder, who must then be rewritten or deleted.
 */
export class UniqueValues {
  readonly #world: string
  readonly #ask: Ask
  readonly #robbed = new Map<string, UniqueViolation>()

  constructor(world: string, ask: Ask) {
    this.#world = world
    this.#ask = ask
  }

  /** Runs before a record is put, and takes its values from others. */
  async take(name: CollectionName, record: Stored): Promise<void> {
    const { key, indexes } = collectionOf(name)
    const own = toBytes(String(record[key]))
    for (const { on, unique } of indexes) {
      if (!unique) continue
      const columns = on.map(equalColumn)
      const conditions = columns.map((column, i) => `${column} = $${i + 3}`).join(' AND ')
      const text =
        `UPDATE ${table(name)} SET ${columns.map((column) => `${column} = NULL`)} ` +
        `WHERE house = $1 AND key <> $2 AND ${conditions} RETURNING key`
      const { rows } = await this.#ask(text, [this.#world, own, ...on.map((field) => toEqual(record[field]))])
      for (const { key } of rows as { key: Buffer }[]) {
        this.#robbed.set(placeOf(name, key), new UniqueViolation(`${on.join(' and ')} is taken`))
      }
    }
  }

  /** A record that was written or deleted is no longer missing a value. */
  settle(name: CollectionName, key: string): void {
    this.#robbed.delete(placeOf(name, toBytes(key)))
  }

  /** Throws before the commit where a value was taken from a record that stays as it is. */
  assertSettled(): void {
    for (const violation of this.#robbed.values()) throw violation
  }
}

const placeOf = (name: CollectionName, key: Buffer): string => `${name} ${key.toString('hex')}`
