import {
  type Answer,
  askOnce,
  bounds,
  type Bounds,
  describeWrong,
  readAnswer,
  readBytes,
  readShape,
  toShapeError,
  type Wrong,
} from './answers.ts'
import { toControlError, toStranger, toUnreachable } from './errors.ts'
import { readMessages } from './feed.ts'
import type { FeedMessage } from './replies.ts'

export interface ControlOptions {
  /** Key of the control API, where it needs one. */
  key?: string | undefined
  /** The default world without it. */
  world?: string | undefined
  /** In the place of the platform's. */
  fetch?: typeof fetch | undefined
  /** Milliseconds that the control API may take to answer; no bound without it. */
  patience?: number | undefined
  /** Judges what operations of the control API answer; without it any JSON is believed. */
  findWrong?: FindWrong | undefined
  /** Where there are files: how `saveCase` writes one. */
  writeFile?: ((file: string, text: string) => Promise<void>) | undefined
}

/** What is wrong with the answer to a call, such as `GET worlds`: its path is behind `/_control/`. */
export type FindWrong = (call: string, answer: Answer) => Promise<Wrong | undefined>

/** Calls of one world of a server. */
export class Transport {
  readonly url: string
  readonly fetch: typeof fetch
  readonly #origin: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #bounds: Bounds
  readonly #findWrong: FindWrong | undefined

  constructor(origin: string, options: ControlOptions) {
    const { key, world, fetch: call = globalThis.fetch, patience, findWrong } = options
    this.url = world === undefined ? origin : `${origin}/w/${world}`
    this.fetch = (target, init) => call(target, init)
    this.#origin = origin
    this.#bounds = { ...bounds, patience }
    this.#findWrong = findWrong
    this.#headers = key === undefined ? {} : { 'x-control-key': key }
  }

  /** Any path of the world; throws a ControlError unless it is answered well. */
  async ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...this.#headers, ...(init.body !== undefined && { 'content-type': 'application/json' }) }
    const request = { origin: this.#origin, target: this.url + path, init: { ...init, headers } }
    const reply = await askOnce(this.fetch, request, this.#bounds).catch((error: unknown) => {
      throw toUnreachable(this.#origin, error)
    })
    if (reply.ok) return reply
    throw toControlError(this.#origin, reply.status, await this.read(reply))
  }

  read(reply: Response): Promise<string> {
    return readAnswer(this.#origin, reply, this.#bounds)
  }

  readBytes(reply: Response): Promise<Uint8Array> {
    return readBytes(this.#origin, reply, this.#bounds)
  }

  /** Only a vendor-cloud that is ready is ready: anything else may answer 200 to any address. */
  async ready(): Promise<void> {
    const reply = await this.ask('/health/ready')
    const text = await this.read(reply)
    if (isReady(text)) return
    throw this.#toStranger('GET /health/ready', { status: reply.status, text }, { expected: '{"status":"ready"}' })
  }

  /** A path of the control API, as text. */
  async send(method: string, path: string, body?: string): Promise<string> {
    const reply = await this.ask(`/_control/${path}`, { method, ...(body !== undefined && { body }) })
    const answer = { status: reply.status, text: await this.read(reply) }
    const wrong = await this.#findWrong?.(`${method} ${path}`, answer)
    if (wrong) throw this.#toStranger(`${method} /_control/${path}`, answer, wrong)
    return answer.text
  }

  /** What the feed tells, until `signal` or its end. */
  async *watch(signal?: AbortSignal): AsyncGenerator<FeedMessage, void> {
    const reply = await this.ask('/_control/feed', signal ? { signal } : {})
    const { body, headers } = reply
    if (!body || !headers.get('content-type')?.startsWith('text/event-stream')) {
      const answer = { status: reply.status, text: await this.read(reply) }
      throw this.#toStranger('GET /_control/feed', answer, { expected: 'an event stream' })
    }
    try {
      yield* readMessages(body, this.#bounds)
    } catch (error) {
      throw toShapeError(this.#origin, error)
    }
  }

  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const text = await this.send(method, path, body === undefined ? undefined : JSON.stringify(body))
    return readShape(this.#origin, () => (text === '' ? undefined : JSON.parse(text)) as T)
  }

  get<T>(path: string, query: object = {}): Promise<T> {
    return this.call('GET', path + toQuery(query))
  }

  #toStranger(call: string, answer: Answer, wrong: Wrong): Error {
    return toStranger(this.#origin, describeWrong(call, answer, wrong))
  }
}

function isReady(text: string): boolean {
  try {
    return (JSON.parse(text) as { status?: unknown }).status === 'ready'
  } catch {
    return false
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
