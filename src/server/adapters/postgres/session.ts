import type pg from 'pg'

export type Ask = (text: string, values?: readonly unknown[]) => Promise<pg.QueryResult>

const COMMIT_WITHIN = 1500

const names = new Map<string, string>()

export class Session {
  readonly #client: pg.ClientBase

  constructor(client: pg.ClientBase) {
    this.#client = client
  }

  /** A connection plans each text once. Texts are few, because they contain no values or pages. */
  readonly ask: Ask = (text, values = []) => {
    const name = names.get(text) ?? `vendor_cloud_${names.size}`
    names.set(text, name)
    return this.#client.query({ name, text, values: [...values] })
  }

  /** A commit is quick, or its response is lost. */
  readonly commit = async (): Promise<void> => {
    await this.#client.query({ text: 'COMMIT', query_timeout: COMMIT_WITHIN } as pg.QueryConfig)
  }

  /** Texts that are rare, or hold several statements, are not prepared. */
  readonly send: Ask = (text, values) => this.#client.query(text, values && [...values])
}
