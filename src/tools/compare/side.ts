import { Client, type Dispatcher } from 'undici'
import { UnusableCase } from '../../contract/cases/case-file.ts'
import { passingCallHeaders, serverHeaders } from '../../contract/cases/passing-headers.ts'
import type { Bindings } from '../../contract/cases/placeholders.ts'
import { leadsAbove } from '../../contract/documents/dot-segments.ts'
import { findOperation } from '../../contract/documents/find-operation.ts'
import type { CaseCall, CaseFrame, CaseReply } from '../../contract/records/control/case.ts'
import { bounds } from '../control-client/answers.ts'
import { toUnreachable } from '../control-client/errors.ts'
import { ask, toRequest } from '../cases/player/case-calls.ts'
import { EventReader } from '../cases/player/event-reader.ts'
import { diffTexts, diffValues } from '../cases/structural-diff.ts'
import { Unifier } from '../cases/unifier.ts'
import { learnSecrets } from './learned-secrets.ts'
import type { ComparedCall, ComparedFrame, Peer } from './peer.ts'
import type { ComparedReply } from './replies.ts'

export interface SideOptions {
  /** Paths of calls are appended to it. */
  url: string
  headers?: Readonly<Record<string, string>>
  bindings: Bindings
  /** Uses a connection a call: a foreign server may be closing a kept one just now. */
  isForeign?: boolean
}

/** A bound for the whole answer: one that comes byte by byte would never end. */
const LONGEST = 4 * bounds.patience

/** Calls are sent in the server's own ids and secrets, which are learned from its replies. */
export class Side implements Peer {
  readonly #url: URL
  readonly #options: SideOptions
  readonly #client: Client
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
    if (leadsAbove(request.path)) throw new UnusableCase(`the path ${request.path} leads above its beginning`)
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

  /** A call that no client can send is a fault of the case, not of the server. */
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

/** A vendor may answer 200 or 201 to a creation; both are a success. */
const isAlike = (recorded = 0, actual = 0) => recorded === actual || (recorded < 300 && actual >= 200 && actual < 300)
