import type { CollectionName } from '../../schemas/collections.ts'
import type { Changes } from '../memory/tables.ts'
import type { Stored } from '../record.ts'

/** Puts the changes of several transactions on disk, in order and all or nothing. */
export type Persist = (batch: readonly Changes[]) => Promise<void>

interface Waiting {
  changes: Changes
  resolve: () => void
  reject: (error: unknown) => void
}

/** Gathers what transactions did while the disk is busy, and puts it there with one sync. */
export class GroupCommit {
  readonly #persist: Persist
  readonly #settle: (changes: Changes) => void
  #queue: Waiting[] = []
  #underway: Waiting[] = []
  #pending: Map<CollectionName, Map<string, Stored | undefined>> = new Map()
  #failures = 0

  /** `settle` makes changes visible that are on disk. */
  constructor(persist: Persist, settle: (changes: Changes) => void) {
    this.#persist = persist
    this.#settle = settle
  }

  /** What is done and not yet on disk: transactions see it, readers don't. */
  get pending(): Changes {
    return this.#pending
  }

  /** Grows when pending changes are dropped, and with them the ground of whoever has read them. */
  get failures(): number {
    return this.#failures
  }

  /** Resolves when these changes and all before them are on disk; rejects when they are dropped. */
  add(changes: Changes): Promise<void> {
    const isIdle = this.#queue.length === 0 && this.#underway.length === 0
    if (changes.size === 0 && isIdle) return Promise.resolve()
    merge(this.#pending, changes)
    return new Promise((resolve, reject) => {
      this.#queue.push({ changes, resolve, reject })
      // Whoever is ready in this turn comes along.
      if (isIdle) setImmediate(() => void this.#flush())
    })
  }

  /** Resolves when nothing is on its way any more. */
  async drain(): Promise<void> {
    await this.add(new Map()).catch(() => {})
  }

  async #flush(): Promise<void> {
    while (this.#queue.length > 0) {
      this.#underway = this.#queue
      this.#queue = []
      const batch = this.#underway.map(({ changes }) => changes).filter(({ size }) => size > 0)
      try {
        if (batch.length > 0) await this.#persist(batch)
      } catch (error) {
        this.#drop(error)
        return
      }
      const done = this.#underway
      for (const changes of batch) this.#settle(changes)
      this.#underway = []
      this.#pending = new Map()
      for (const { changes } of this.#queue) merge(this.#pending, changes)
      for (const { resolve } of done) resolve()
    }
  }

  /** What came after the failed changes may have been made of them. */
  #drop(error: unknown): void {
    const dropped = [...this.#underway, ...this.#queue]
    this.#underway = []
    this.#queue = []
    this.#pending = new Map()
    this.#failures++
    for (const { reject } of dropped) reject(error)
  }
}

function merge(into: Changes, changes: Changes): void {
  for (const [name, records] of changes) {
    const known = into.get(name)
    if (!known) into.set(name, new Map(records))
    else for (const [key, record] of records) known.set(key, record)
  }
}
