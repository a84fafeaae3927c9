import { toControlError, toUnreachable } from './errors.ts'

export interface ControlOptions {
  /** Key of the control API, where it needs one. */
  key?: string | undefined
  /** The default world without it. */
  world?: string | undefined
  /** In the place of the platform's. */
  fetch?: typeof fetch | undefined
  /** Where there are files: how `saveCase` writes one. */
  writeFile?: ((file: string, text: string) => Promise<void>) | undefined
}

/** Calls of one world of a server. */
export class Transport {
  readonly url: string
  readonly fetch: typeof fetch
  readonly #origin: string
  readonly #headers: Readonly<Record<string, string>>

  constructor(origin: string, { key, world, fetch: call = globalThis.fetch }: ControlOptions) {
    this.url = world === undefined ? origin : `${origin}/w/${world}`
    this.fetch = (target, init) => call(target, init)
    this.#origin = origin
    this.#headers = key === undefined ? {} : { 'x-control-key': key }
  }

  /** Any path of the world; throws a ControlError unless it is answered well. */
  async ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...this.#headers, ...(init.body !== undefined && { 'content-type': 'application/json' }) }
    const reply = await this.fetch(this.url + path, { ...init, headers }).catch((error: unknown) => {
      throw toUnreachable(this.#origin, error)
    })
    if (reply.ok) return reply
    throw toControlError(reply.status, await reply.text())
  }

  /** A path of the control API, as text. */
  async send(method: string, path: string, body?: string): Promise<string> {
    const reply = await this.ask(`/_control/${path}`, { method, ...(body !== undefined && { body }) })
    return reply.text()
  }

  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const text = await this.send(method, path, body === undefined ? undefined : JSON.stringify(body))
    return (text === '' ? undefined : JSON.parse(text)) as T
  }

  get<T>(path: string, query: object = {}): Promise<T> {
    return this.call('GET', path + toQuery(query))
  }
}

/** A path whose values may hold anything. */
export function at(texts: TemplateStringsArray, ...values: readonly string[]): string {
  return texts.reduce((path, text, i) => path + encodeURIComponent(values[i - 1]!) + text)
}

export function toQuery(given: object): string {
  const pairs = Object.entries(given).filter(([, value]) => value !== undefined)
  if (pairs.length === 0) return ''
  return `?${new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)]))}`
}
