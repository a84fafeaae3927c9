import type { Input, Reply } from '#contract/control/calls.ts'
import { type ControlOperation, controlRoutes } from '#contract/control/routes.ts'
import { ControlError, toControlError, toShapeError, toOtherServer, toUnreachable } from './errors.ts'
import { readMessages } from './feed.ts'
import { toOwnSignal } from './own-classes.ts'
import type { FeedMessage } from './types.ts'
import { bounds, type ControlOptions } from './options.ts'

export class Transport {
  readonly name: string
  readonly url: string
  readonly fetch: typeof fetch
  readonly #origin: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #patience: number | undefined
  readonly #hint: string | undefined

  constructor(origin: string, { key, world, fetch: call = globalThis.fetch, patience, hint }: ControlOptions) {
    this.name = world ?? 'default'
    this.url = world === undefined ? origin : `${origin}/w/${world}`
    this.fetch = (target, init) => call(target, init?.signal ? { ...init, signal: toOwnSignal(init.signal) } : init)
    this.#origin = origin
    this.#patience = patience
    this.#hint = hint
    this.#headers = key === undefined ? {} : { 'x-control-key': key }
  }

  /**
   * Reads a successful response. For any other response, throws a `ControlError`. Redirects are rejected, because they
   * would send the key to another host. The response must be complete in time, unless `init` contains a signal.
   */
  async #ask<T>(path: string, init: RequestInit, read: (reply: Response) => Promise<T> | T): Promise<T> {
    const headers = { ...this.#headers, ...(init.body !== undefined && { 'content-type': 'application/json' }) }
    const late = this.#patience === undefined ? {} : { signal: AbortSignal.timeout(this.#patience) }
    try {
      const reply = await this.fetch(this.url + path, { ...late, ...init, headers, redirect: 'error' })
      if (!reply.ok) throw toControlError(this.#origin, reply.status, await this.#bound(reply).text())
      // Many web servers return an HTML page for every URL.
      const isPage = reply.headers.get('content-type')?.startsWith('text/html')
      if (isPage) throw toOtherServer(this.#origin, `it responded to ${path} with an HTML page`)
      return await read(reply)
    } catch (error) {
      throw toUnreachable(this.#origin, error, 'Unreachable', this.#hint)
    }
  }

  /** Any server may return 200 for any URL, so the body must contain this status. */
  async health(word: 'live' | 'ready'): Promise<void> {
    const answer = await this.#ask(`/health/${word}`, {}, (reply) => this.#bound(reply).text())
    if (this.#parse<{ status?: unknown } | null>(answer)?.status === word) return
    throw toOtherServer(this.#origin, `/health/${word} must respond with {"status":"${word}"}`)
  }

  async send(name: ControlOperation, address: Address = {}, body?: string): Promise<string> {
    const { method, path } = toTarget(name, address)
    return this.#ask(path, { method, ...(body !== undefined && { body }) }, (reply) => this.#bound(reply).text())
  }

  async load(name: ControlOperation, address: Address): Promise<Uint8Array> {
    const { method, path } = toTarget(name, address)
    return new Uint8Array(await this.#ask(path, { method }, (reply) => this.#bound(reply).arrayBuffer()))
  }

  async call<Name extends ControlOperation>(name: Name, input: Input<Name>): Promise<Reply<Name>> {
    const { body, ...address } = input as Address & { body?: unknown }
    return this.#parse(await this.send(name, address, body === undefined ? body : JSON.stringify(body)))
  }

  /** Accepts a path as printed in the documentation, or the part after `/_control/`. */
  async control<T>(method: string, path: string, body?: unknown): Promise<T> {
    const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const target = `/_control/${path.replace(/^\/?(_control\/)?/, '')}`
    return this.#parse(await this.#ask(target, init, (reply) => this.#bound(reply).text()))
  }

  /** The stream ends when `signal` is aborted or when the server ends the stream. */
  async *watch(signal?: AbortSignal): AsyncGenerator<FeedMessage, void> {
    const { method, path } = toTarget('watch', {})
    // A stream has no end, so the request has no timeout.
    const { body, headers } = await this.#ask(path, { method, signal: signal ?? null }, (reply) => reply)
    if (!body || !headers.get('content-type')?.startsWith('text/event-stream')) {
      throw toOtherServer(this.#origin, `${path} must respond with an event stream`)
    }
    try {
      yield* readMessages(body, { ...bounds, signal })
    } catch (error) {
      // The message of the error that `fetch` throws if a body ends too early.
      if (!(error instanceof TypeError && error.message === 'terminated')) throw toShapeError(this.#origin, error)
      throw new ControlError(0, 'Unreachable', `lost the connection to ${this.#origin}`, [], error)
    }
  }

  /** Limits the size of a response, because a server may send an endless response. */
  #bound({ body }: Response): Response {
    let size = 0
    const transform = (chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>) => {
      size += chunk.length
      if (size > bounds.bytes)
        throw toOtherServer(this.#origin, `its response is larger than ${bounds.bytes / 1024 / 1024} MB`)
      controller.enqueue(chunk)
    }
    return new Response(body?.pipeThrough(new TransformStream({ transform })))
  }

  #parse<T>(text: string): T {
    try {
      return (text === '' ? undefined : JSON.parse(text)) as T
    } catch (error) {
      throw toShapeError(this.#origin, error)
    }
  }
}

interface Address {
  params?: readonly unknown[] | undefined
  query?: object | undefined
}

/** Values are encoded, because they may contain slashes or dots. */
function toTarget(name: ControlOperation, { params = [], query = {} }: Address): { method: string; path: string } {
  const [method = '', route = ''] = controlRoutes[name].split(' ')
  const left = params.values()
  const path = route.replace(/:\w+/g, () => encodeURIComponent(String(left.next().value)))
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(pairs.map(([key, value]): [string, string] => [key, String(value)]))
  return { method, path: pairs.length === 0 ? path : `${path}?${search}` }
}
