import { UnusableCase, type CaseFrame, type CallStep, type StreamFrame } from '#contract/files/case.ts'
import type { Bindings } from '#contract/files/placeholders.ts'
import { leadsAbove } from '#contract/documents/dot-segments.ts'
import { findOperation } from '#contract/documents/find-operation.ts'
import type { HttpRequest, HttpResponse } from '#contract/exchange.ts'
import {
  type EventStream,
  fillCall,
  lacksBody,
  withoutPassing,
  type ReceivedResponse,
} from '../cases/player/request.ts'
import { createRequester, type Requester } from '../cases/player/undici-request.ts'
import { diffTexts, diffValues } from '../cases/structural-diff.ts'
import { maskIds, Unifier } from '../cases/unifier.ts'
import { readBody } from './bodies.ts'

/** A server that gets the calls of a case, or its stored replies. */
export type Peer = Pick<Side, 'lacks' | 'ask' | 'countFrames' | 'takeFrames'>

export interface SideOptions {
  /** Paths of calls are appended to it. */
  url: string
  headers?: Readonly<Record<string, string>>
  bindings: Bindings
  /** Uses a connection a call: a foreign server may be closing a kept one just now. */
  isForeign?: boolean
}

/** Calls are sent in the server's own ids and secrets, which are learned from its replies. */
export class Side {
  readonly #url: URL
  readonly #options: SideOptions
  readonly #requester: Requester
  readonly #unifier = new Unifier()
  readonly #streams = new Map<number, EventStream>()

  constructor(options: SideOptions) {
    this.#options = options
    this.#url = new URL(options.url)
    const { isForeign = false } = options
    this.#requester = createRequester(this.#url.origin, { isForeign })
  }

  /** Such a call names a placeholder whose value is not known, or lost its body, so it cannot be made. */
  lacks({ call }: CallStep): boolean {
    return lacksBody(call) || this.#options.bindings.lacks(JSON.stringify(call))
  }

  async ask({ step, call, reply }: CallStep): Promise<ReceivedResponse> {
    const { stream, ...actual } = await this.#requester.request(this.#toSent(call))
    const isStream = call.method === 'GET' && findOperation(call.method, call.path)?.operation === 'stream'
    if (stream && isStream) this.#streams.set(step, stream)
    else stream?.close()
    this.#learn(reply, actual)
    return actual
  }

  translate(text: string): string {
    return this.#unifier.translate(text)
  }

  /** Counts frames that came and were not taken yet. */
  countFrames(step: number): number {
    return this.#streams.get(step)?.frames.waiting ?? 0
  }

  /** Ends the stream. `recorded` has the case's frames of it. */
  takeFrames(step: number, recorded: readonly CaseFrame[]): StreamFrame[] {
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
    await this.#requester.close()
  }

  #toSent(call: HttpRequest): HttpRequest {
    const { bindings, headers = {} } = this.#options
    const own = withoutPassing(call)
    const sent = fillCall({ ...own, headers: { ...own.headers, ...headers } }, (text) =>
      this.#unifier.translate(bindings.fill(text)),
    )
    if (leadsAbove(sent.path)) throw new UnusableCase(`the path ${sent.path} leads above its beginning`)
    return { ...sent, prefix: this.#url.pathname.replace(/\/$/, '') }
  }

  #learn(recorded: HttpResponse, actual: ReceivedResponse): void {
    if (recorded.body === undefined || actual.body === undefined || !isAlike(recorded.status, actual.status)) return
    learnSecrets(this.#options.bindings, recorded, actual)
    const { equal, liken } = this.#unifier
    diffTexts('', recorded.body, actual.body, { equal, liken, fieldOrder: false })
  }
}

/** A vendor may answer 200 or 201 to a creation; both are a success. */
const isAlike = (recorded = 0, actual = 0) => recorded === actual || (recorded < 300 && actual >= 200 && actual < 300)

const MARK = /\{\{token:(\d+)\}\}/

/** A secret of the other server stands where the recorded reply has its placeholder. */
function learnSecrets(bindings: Bindings, recorded: HttpResponse, actual: HttpResponse): void {
  if (recorded.body === undefined || !MARK.test(recorded.body)) return
  const [before, after] = [readBody(recorded), readBody(actual)]
  if (before.form === 'none' || before.form !== after.form) return
  learnValue(bindings, before.value, after.value)
}

function learnValue(bindings: Bindings, recorded: unknown, actual: unknown): void {
  if (typeof recorded === 'string') {
    if (typeof actual === 'string') learnText(bindings, recorded, actual)
    return
  }
  if (typeof recorded !== 'object' || recorded === null || typeof actual !== 'object' || actual === null) return
  const values = actual as Readonly<Record<string, unknown>>
  for (const [name, value] of Object.entries(recorded)) learnValue(bindings, value, values[name])
}

/** Ids, and an address before them, differ between servers, so they match anything. */
function learnText(bindings: Bindings, recorded: string, actual: string): void {
  const marks = [...recorded.matchAll(new RegExp(MARK, 'g'))]
  if (marks.length === 0) return
  const literals = recorded.split(new RegExp(MARK.source.replace(/[()]/g, ''), 'g')).map(toPattern)
  const found = new RegExp(`^${literals.join('([^\\s"&<>]+)')}$`).exec(actual)
  for (const [i, [mark, n]] of marks.entries()) {
    const value = found?.[i + 1]
    if (value !== undefined && bindings.lacks(mark)) bindings.set(Number(n), value)
  }
}

const ADDRESS = /^https?:\/\/[^/?#]+(?:\/w\/[^/]+)?/

function toPattern(literal: string): string {
  const [address = ''] = ADDRESS.exec(literal) ?? []
  const rest = maskIds(literal.slice(address.length)).split('*').map(quote)
  return `${address === '' ? '' : '.*?'}${rest.join('[\\w.:+-]+')}`
}

const quote = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
