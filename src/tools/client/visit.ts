import { ControlError } from './errors.ts'
import type { WorldKeeper } from './options.ts'

/** A recorded world, or one of a program that was killed, is forgotten after a day. */
const FORGOTTEN = 86_400

/**
 * The session of a client on a server that another process started. At its end its event streams end and its worlds are
 * deleted, except recorded ones, whose cases are read later. The server keeps running.
 */
export class Visit implements WorldKeeper {
  readonly expiresIn = FORGOTTEN
  readonly #made = new Set<string>()
  readonly #recorded = new Set<string>()
  readonly #streams = new Set<() => void>()
  readonly #remove: (name: string) => Promise<unknown>
  #leave: Promise<void> | undefined

  readonly #fetch: typeof fetch

  /** `remove` deletes a world of the visited server. */
  constructor(remove: (name: string) => Promise<unknown>, call: typeof fetch) {
    this.#remove = remove
    this.#fetch = call
  }

  /** Takes the place of the platform's `fetch`, and refuses calls after the end. */
  ask: typeof fetch = async (target, init) => {
    if (this.#leave) throw new TypeError('fetch failed', { cause: new Error('the client was stopped') })
    const reply = await this.#fetch(target, init)
    const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream') === true
    return reply.body && isStream ? this.#follow(reply, reply.body) : reply
  }

  async made(name: string): Promise<void> {
    this.#made.add(name)
    // It was asked for before the end.
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
        // A server that does not respond has no worlds to delete.
        if (!(error instanceof ControlError) || error.status === 0) return
      }
    }
  }

  /** The stream as it comes, until its end or that of the visit. */
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
