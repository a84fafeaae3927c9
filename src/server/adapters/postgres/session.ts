import type pg from 'pg'

export type Ask = (text: string, values?: readonly unknown[]) => Promise<pg.QueryResult>

const COMMIT_WITHIN = 1500

const names = new Map<string, string>()

export class Session {
  readonly #client: pg.ClientBase

  constructor(client: pg.ClientBase) {
    this.#client = client
  }

  /** Each text is planned once per connection. There are few texts, because values are passed as parameters. */
  readonly ask: Ask = (text, values = []) => {
    const name = names.get(text) ?? `vendor_cloud_${names.size}`
    names.set(text, name)
    return this.#client.query({ name, text, values: [...values] })
  }

  /** The timeout is short, because a commit without a prompt response has probably lost its response. */
  readonly commit = async (): Promise<void> => {
    await this.#client.query({ text: 'COMMIT', query_timeout: COMMIT_WITHIN } as pg.QueryConfig)
  }

  /** For rare or multiple statements, which are not prepared. */
  readonly send: Ask = (text, values) => this.#client.query(text, values && [...values])
}
