import { Client, type Dispatcher } from 'undici'
import { passingCallHeaders, serverHeaders } from '../../contract/cases/passing-headers.ts'
import type { Bindings } from '../../contract/cases/placeholders.ts'
import { findOperation } from '../../contract/documents/find-operation.ts'
import type { CaseCall, CaseFrame, CaseReply } from '../../contract/records/control/case.ts'
import { bounds } from '../control-client/answers.ts'
import { toUnreachable } from '../control-client/errors.ts'
import { ask, toRequest } from '../cases/player/case-calls.ts'
import { EventReader } from '../cases/player/event-reader.ts'
import { diffTexts, diffValues } from '../cases/structural-diff.ts'
import { Unifier } from '../cases/unifier.ts'
import type { ComparedFrame } from './comparison.ts'
import { learnSecrets } from './learned-secrets.ts'
import type { ComparedReply } from './replies.ts'

/** A call of a case, and what it was answered there. */
export interface ComparedCall {
  step: number
  at: string
  call: CaseCall
  reply: CaseReply
}

/** One of the two servers that get the calls. */
export interface Peer {
  /** Whether a call names what only a placeholder without a value stands for. */
  lacks(asked: ComparedCall): boolean
  ask(asked: ComparedCall): Promise<ComparedReply>
  /** Frames that came on the stream of that step and were not taken yet. */
  countFrames(step: number): number
  /** Ends the stream. `recorded`: the frames that the case has of it. */
  takeFrames(step: number, recorded: readonly CaseFrame[]): ComparedFrame[]
  close(): Promise<void>
}

export interface SideOptions {
  /** Where its paths begin. */
  url: string
  headers?: Readonly<Record<string, string>>
  bindings: Bindings
  /** Each call over a connection of its own: another's may be closing just now. */
  isForeign?: boolean
}

/** Milliseconds of a whole answer: one that comes byte by byte has no end. */
const LONGEST = 4 * bounds.patience

/** A server that is asked over HTTP, in its own ids and secrets, which it tells as the calls go on. */
export class Side implements Peer {
  readonly #url: URL
  readonly #options: SideOptions
  readonly #client: Client
  /** From the case's ids to those of this server. */
  readonly #unifier = new Unifier()
  readonly #streams = new Map<number, EventReader>()

  constructor(options: SideOptions) {
    this.#options = options
    this.#url = new URL(options.url)
    this.#client = this.#open({ pipelining: options.isForeign ? 0 : 1 })
  }

  lacks({ call }: ComparedCall): boolean {
    return this.#options.bindings.lacks(JSON.stringify(call))
  }

  async ask({ step, call, reply }: ComparedCall): Promise<ComparedReply> {
    const request = this.#toRequest(call)
    const isStream = call.method === 'GET' && findOperation(call.method, call.path)?.operation === 'stream'
    const actual = isStream ? await this.#openStream(step, request) : await this.#ask(request)
    this.#learn(reply, actual)
    return actual
  }

  /** A text of the case as this server calls it. */
  translate(text: string): string {
    return this.#unifier.translate(text)
  }

  countFrames(step: number): number {
    return this.#streams.get(step)?.frames.waiting ?? 0
  }

  takeFrames(step: number, recorded: readonly CaseFrame[]): ComparedFrame[] {
    const reader = this.#streams.get(step)
    reader?.close()
    this.#streams.delete(step)
    const frames = reader?.frames.takeAll() ?? []
    const { equal, liken } = this.#unifier
    const own = recorded.map(({ event, id, data }) => ({ event, ...(id !== undefined && { id }), data }))
    diffValues('', own, frames, { equal, liken, fieldOrder: false })
    return frames
  }

  async close(): Promise<void> {
    for (const reader of this.#streams.values()) reader.close()
    await this.#client.destroy()
  }

  #open(options: Client.Options): Client {
    const { patience, bytes } = bounds
    const within = { headersTimeout: patience, bodyTimeout: patience, maxResponseSize: bytes }
    return new Client(this.#url.origin, { ...within, ...options })
  }

  #toRequest(call: CaseCall): Dispatcher.RequestOptions {
    const { bindings, headers: own = {} } = this.#options
    const headers = Object.entries(call.headers).filter(
      ([name]) => !serverHeaders.has(name) && !passingCallHeaders.has(name),
    )
    const fill = (text: string) => this.#unifier.translate(bindings.fill(text))
    const request = toRequest(call, { ...Object.fromEntries(headers), ...own }, fill)
    return { ...request, path: this.#url.pathname.replace(/\/$/, '') + request.path }
  }

  async #ask(request: Dispatcher.RequestOptions): Promise<ComparedReply> {
    try {
      return await ask(this.#client, { ...request, signal: AbortSignal.timeout(LONGEST) })
    } catch (error) {
      throw this.#toFailure(error)
    }
  }

  async #openStream(step: number, request: Dispatcher.RequestOptions): Promise<ComparedReply> {
    const reader = new EventReader(this.#open({ bodyTimeout: 0, maxResponseSize: -1 }))
    try {
      const reply = await reader.open(request)
      if (reply.body !== undefined) return reply
      this.#streams.set(step, reader)
      return { ...reply, body: '' }
    } catch (error) {
      reader.close()
      const { code = '' } = error as { code?: string }
      if (/TIMEOUT/.test(code)) return { late: true }
      if (/^(?:UND_ERR_SOCKET|ECONNRESET)$/.test(code)) return {}
      throw this.#toFailure(error)
    }
  }

  /** Of a call that no client can send the case is to blame. */
  #toFailure(error: unknown): Error {
    const { code = '' } = error as { code?: string }
    if (/^UND_ERR_(INVALID_ARG|NOT_SUPPORTED)$/.test(code)) return error as Error
    return toUnreachable(this.#url.origin, error)
  }

  #learn(recorded: CaseReply, actual: ComparedReply): void {
    if (recorded.body === undefined || actual.body === undefined || !isAlike(recorded.status, actual.status)) return
    learnSecrets(this.#options.bindings, recorded, actual)
    const { equal, liken } = this.#unifier
    diffTexts('', recorded.body, actual.body, { equal, liken, fieldOrder: false })
  }
}

/** 200 and 201 say the same of what was made. */
const isAlike = (recorded = 0, actual = 0) => recorded === actual || (recorded < 300 && actual >= 200 && actual < 300)
