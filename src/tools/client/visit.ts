import { ControlError } from './errors.ts'
import type { WorldKeeper } from './options.ts'

/** Seconds after which a world expires if it was recorded or if the program that created it was killed. */
const FORGOTTEN = 86_400

/**
 * Session of a client on a server that another process started. When the session ends, its event streams are closed and
 * its worlds are deleted. Recorded worlds are not deleted, because their cases are read later. The server keeps
 * running.
 */
export class Visit implements WorldKeeper {
  readonly expiresIn = FORGOTTEN
  readonly #made = new Set<string>()
  readonly #recorded = new Set<string>()
  readonly #streams = new Set<() => void>()
  readonly #remove: (name: string) => Promise<unknown>
  #leave: Promise<void> | undefined

  readonly #fetch: typeof fetch

  constructor(remove: (name: string) => Promise<unknown>, call: typeof fetch) {
    this.#remove = remove
    this.#fetch = call
  }

  /** Replaces the platform's `fetch`. Rejects requests after the end of the session. */
  ask: typeof fetch = async (target, init) => {
    if (this.#leave) throw new TypeError('fetch failed', { cause: new Error('the client was stopped') })
    const reply = await this.#fetch(target, init)
    const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream') === true
    return reply.body && isStream ? this.#follow(reply, reply.body) : reply
  }

  async made(name: string): Promise<void> {
    this.#made.add(name)
    // The session ended while the world was being created, so the world is deleted.
    if (this.#leave) await this.#removeAll()
  }

  deleted(name: string): void {
    this.#made.delete(name)
  }

  recorded(name: string, isOn: boolean): void {
    if (isOn) this.#recorded.add(name)
    else this.#recorded.delete(name)
  }

  leave(): Promise<void> {
    this.#leave ??= this.#removeAll()
    for (const end of this.#streams) end()
    return this.#leave
  }

  async #removeAll(): Promise<void> {
    for (const name of [...this.#made].filter((each) => !this.#recorded.has(each))) {
      this.#made.delete(name)
      try {
        await this.#remove(name)
      } catch (error) {
        // If the server does not respond, there is nothing to delete.
        if (!(error instanceof ControlError) || error.status === 0) return
      }
    }
  }

  /** Forwards the stream until it or the session ends. */
  #follow(reply: Response, source: ReadableStream<Uint8Array>): Response {
    const reader = source.getReader()
    const end = () => void reader.cancel().catch(() => {})
    this.#streams.add(end)
    void reader.closed.catch(() => {}).then(() => this.#streams.delete(end))
    const body = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const part = await reader.read()
          if (part.done) controller.close()
          else controller.enqueue(part.value)
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    )
    if (this.#leave) end()
    const { status, statusText, headers, url } = reply
    return Object.defineProperty(new Response(body, { status, statusText, headers }), 'url', { value: url })
  }
}
