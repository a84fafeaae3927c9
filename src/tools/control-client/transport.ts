import type { Input, Reply } from '../../contract/control/calls.ts'
import { type ControlOperation, controlRoutes } from '../../contract/control/routes.ts'
import { askOnce, bounds, type Bounds, readAnswer, readBytes } from './answers.ts'
import { type Answer, describeWrong, readShape, toShapeError, type Wrong } from './answer-shapes.ts'
import { toControlError, toStranger, toUnreachable } from './errors.ts'
import { readMessages } from './feed.ts'
import type { FeedMessage } from './types.ts'
import type { ControlOptions, FindWrong } from './options.ts'

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

  /** Throws a ControlError unless the answer is a success. */
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

  /** Any server may answer 200 at any address, so the word must be vendor-cloud's. */
  async health(word: 'live' | 'ready'): Promise<void> {
    const reply = await this.ask(`/health/${word}`)
    const text = await this.read(reply)
    if (saysStatus(text, word)) return
    const answer = { status: reply.status, text }
    throw this.#toStranger(`GET /health/${word}`, answer, { expected: `{"status":"${word}"}` })
  }

  async send(name: ControlOperation, address: Address = {}, body?: string): Promise<string> {
    const { method, path } = toTarget(name, address)
    const reply = await this.ask(path, { method, ...(body !== undefined && { body }) })
    const answer = { status: reply.status, text: await this.read(reply) }
    const wrong = await this.#findWrong?.(name, answer)
    if (wrong) throw this.#toStranger(`${method} ${path}`, answer, wrong)
    return answer.text
  }

  async load(name: ControlOperation, address: Address): Promise<Uint8Array> {
    const { method, path } = toTarget(name, address)
    return readBytes(this.#origin, await this.ask(path, { method }), this.#bounds)
  }

  async call<Name extends ControlOperation>(name: Name, input: Input<Name>): Promise<Reply<Name>> {
    const { body, ...address } = input as Address & { body?: unknown }
    return this.#parse(await this.send(name, address, body === undefined ? body : JSON.stringify(body)))
  }

  /** Takes a path as pages print it, or the part behind `/_control/`. */
  async control<T>(method: string, path: string, body?: unknown): Promise<T> {
    const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const target = `/_control/${path.replace(/^\/?(_control\/)?/, '')}`
    return this.#parse(await this.read(await this.ask(target, init)))
  }

  /** Ends with `signal`, or when the server ends it. */
  async *watch(signal?: AbortSignal): AsyncGenerator<FeedMessage, void> {
    const { method, path } = toTarget('watch', {})
    const reply = await this.ask(path, { method, ...(signal && { signal }) })
    const { body, headers } = reply
    if (!body || !headers.get('content-type')?.startsWith('text/event-stream')) {
      const answer = { status: reply.status, text: await this.read(reply) }
      throw this.#toStranger(`${method} ${path}`, answer, { expected: 'an event stream' })
    }
    try {
      yield* readMessages(body, this.#bounds)
    } catch (error) {
      throw toShapeError(this.#origin, error)
    }
  }

  #parse<T>(text: string): T {
    return readShape(this.#origin, () => (text === '' ? undefined : JSON.parse(text)) as T)
  }

  #toStranger(call: string, answer: Answer, wrong: Wrong): Error {
    return toStranger(this.#origin, describeWrong(call, answer, wrong))
  }
}

function saysStatus(text: string, word: string): boolean {
  try {
    return (JSON.parse(text) as { status?: unknown }).status === word
  } catch {
    return false
  }
}

interface Address {
  params?: readonly unknown[] | undefined
  query?: object | undefined
}

/** A value may hold slashes or dots, so it is encoded. */
function toTarget(name: ControlOperation, { params = [], query }: Address): { method: string; path: string } {
  const [method = '', route = ''] = controlRoutes[name].split(' ')
  const left = params.values()
  const path = route.replace(/:\w+/g, () => encodeURIComponent(String(left.next().value)))
  return { method, path: path + toQuery(query) }
}

function toQuery(given: object = {}): string {
  const pairs = Object.entries(given).filter(([, value]) => value !== undefined)
  if (pairs.length === 0) return ''
  return `?${new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)]))}`
}
