import type pg from 'pg'

export type Ask = (text: string, values?: readonly unknown[]) => Promise<pg.QueryResult>

const names = new Map<string, string>()

/** A lent connection knows how long it has been waiting for an answer. */
export class Session {
  readonly #client: pg.ClientBase
  #unanswered = 0
  /**
   * By `performance.now()`: when the statement was sent or the answer before came; `Infinity` while nothing is awaited.
   */
  waitsSince = Infinity

  constructor(client: pg.ClientBase) {
    this.#client = client
  }

  get process(): number {
    return (this.#client as pg.ClientBase & { processID: number }).processID
  }

  /** A connection plans each text once. Texts are few, because values and pages are no part of them. */
  readonly ask: Ask = (text, values = []) => {
    const name = names.get(text) ?? `vendor_cloud_${names.size}`
    names.set(text, name)
    return this.#await(this.#client.query({ name, text, values: [...values] }))
  }

  /** Texts that are rare, or hold several statements, are not prepared. */
  readonly send: Ask = (text, values) => this.#await(this.#client.query(text, values && [...values]))

  async #await<T>(answer: Promise<T>): Promise<T> {
    if (this.#unanswered++ === 0) this.waitsSince = performance.now()
    try {
      return await answer
    } finally {
      this.waitsSince = --this.#unanswered === 0 ? Infinity : performance.now()
    }
  }
}
