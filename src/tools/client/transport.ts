import type { Input, Reply } from '#contract/control/calls.ts'
import { type ControlOperation, controlRoutes } from '#contract/control/routes.ts'
import { type Answer, bounds, readAnswer, readBytes, type Wrong } from './answers.ts'
import { toControlError, toShapeError, toStranger, toUnreachable } from './errors.ts'
import { readMessages } from './feed.ts'
import type { FeedMessage } from './types.ts'
import type { ControlOptions, FindWrong } from './options.ts'

export class Transport {
  readonly url: string
  readonly fetch: typeof fetch
  readonly #origin: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #patience: number | undefined
  readonly #findWrong: FindWrong | undefined

  constructor(origin: string, options: ControlOptions) {
    const { key, world, fetch: call = globalThis.fetch, patience, findWrong } = options
    this.url = world === undefined ? origin : `${origin}/w/${world}`
    this.fetch = (target, init) => call(target, init)
    this.#origin = origin
    this.#patience = patience
    this.#findWrong = findWrong
    this.#headers = key === undefined ? {} : { 'x-control-key': key }
  }

  /**
   * Throws a ControlError unless the answer is a success. A redirect is an error, because the key would follow it to
   * another host. The whole answer must come in time, unless `init` has a signal.
   */
  async ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...this.#headers, ...(init.body !== undefined && { 'content-type': 'application/json' }) }
    const late = this.#patience === undefined ? {} : { signal: AbortSignal.timeout(this.#patience) }
    try {
      const reply = await this.fetch(this.url + path, { ...late, ...init, headers, redirect: 'error' })
      if (reply.ok) return reply
      throw toControlError(this.#origin, reply.status, await this.read(reply))
    } catch (error) {
      throw toUnreachable(this.#origin, error)
    }
  }

  read(reply: Response): Promise<string> {
    return readAnswer(this.#origin, reply)
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
    return readBytes(this.#origin, await this.ask(path, { method }))
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
    // A stream has no end, so nothing bounds its time.
    const reply = await this.ask(path, { method, signal: signal ?? null })
    const { body, headers } = reply
    if (!body || !headers.get('content-type')?.startsWith('text/event-stream')) {
      const answer = { status: reply.status, text: await this.read(reply) }
      throw this.#toStranger(`${method} ${path}`, answer, { expected: 'an event stream' })
    }
    try {
      yield* readMessages(body, { ...bounds, signal })
    } catch (error) {
      throw toShapeError(this.#origin, error)
    }
  }

  #parse<T>(text: string): T {
    try {
      return (text === '' ? undefined : JSON.parse(text)) as T
    } catch (error) {
      throw toShapeError(this.#origin, error)
    }
  }

  /** `GET /_control/worlds should answer ..., and answers 200 with <html> (it is no JSON)`. */
  #toStranger(call: string, { status, text }: Answer, { expected, why }: Wrong): Error {
    const came = text.trim() === '' ? 'no body' : text.trim().slice(0, MOST_SHOWN)
    const said = `${call} should answer ${expected}, and answers ${status} with ${came}`
    return toStranger(this.#origin, why === undefined ? said : `${said} (${why})`)
  }
}

/** The answer may be a whole page, so only its beginning is shown. */
const MOST_SHOWN = 100

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
