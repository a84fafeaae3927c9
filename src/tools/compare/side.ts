import { UnusableCase, type CaseFrame, type CallStep, type StreamFrame } from '#contract/files/case.ts'
import type { Bindings } from '#contract/files/placeholders.ts'
import { leadsAbove } from '#contract/documents/dot-segments.ts'
import { findOperation } from '#contract/documents/find-operation.ts'
import type { HttpRequest, HttpResponse } from '#contract/exchange.ts'
import {
  type EventStream,
  fillCall,
  lacksBody,
  type ReceivedResponse,
  type Request,
  withoutPassing,
} from '../cases/player/request.ts'
import { diffValues, type Rules } from '../cases/structural-diff.ts'
import { maskIds, IdMapping } from '../cases/id-mapping.ts'
import { diffBodies } from './replies.ts'

/** A server that gets the calls of a case, or its stored replies. */
export type Peer = Pick<Side, 'lacks' | 'ask' | 'countFrames' | 'takeFrames'>

/** Calls are sent in the server's own ids and secrets, which are learned from its replies. */
export class Side {
  readonly #request: Request
  readonly #bindings: Bindings
  readonly #idMapping = new IdMapping()
  readonly #streams = new Map<number, EventStream>()

  constructor(request: Request, bindings: Bindings) {
    this.#request = request
    this.#bindings = bindings
  }

  /** Such a call names a placeholder whose value is not known, or lost its body, so it cannot be made. */
  lacks({ call }: CallStep): boolean {
    return lacksBody(call) || this.#bindings.lacks(JSON.stringify(call))
  }

  async ask({ step, call, reply }: CallStep): Promise<ReceivedResponse> {
    const { stream, ...actual } = await this.#request(this.#toSent(call))
    const isStream = call.method === 'GET' && findOperation(call.method, call.path)?.operation === 'stream'
    if (stream && isStream) this.#streams.set(step, stream)
    else stream?.close()
    this.#learn(reply, actual)
    return actual
  }

  translate(text: string): string {
    return this.#idMapping.translate(text)
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
    const { equal, mapIds } = this.#idMapping
    const own = recorded.map(({ event, id, data }) => ({ event, ...(id !== undefined && { id }), data }))
    diffValues('', own, frames, { equal, mapIds, fieldOrder: false })
    return frames
  }

  close(): void {
    for (const reader of this.#streams.values()) reader.close()
  }

  #toSent(call: HttpRequest): HttpRequest {
    const { prefix: _, ...own } = withoutPassing(call)
    const sent = fillCall(own, (text) => this.translate(this.#bindings.fill(text)))
    if (leadsAbove(sent.path)) throw new UnusableCase(`the path ${sent.path} leads above its beginning`)
    return sent
  }

  #learn(recorded: HttpResponse, actual: ReceivedResponse): void {
    if (recorded.body === undefined || actual.body === undefined || !isAlike(recorded.status, actual.status)) return
    // The same text has the same ids.
    if (recorded.body === actual.body) return
    const equal: Rules['equal'] = (before, after, path) => {
      if (typeof before === 'string' && typeof after === 'string') learnSecrets(this.#bindings, before, after)
      return this.#idMapping.equal(before, after, path)
    }
    diffBodies(recorded, actual, { equal, mapIds: this.#idMapping.mapIds })
  }
}

/** A vendor may answer 200 or 201 to a creation; both are a success. */
const isAlike = (recorded = 0, actual = 0) => recorded === actual || (recorded < 300 && actual >= 200 && actual < 300)

/**
 * A secret of the other server is where the recorded text has its placeholder. IDs, and an address before them, differ
 * between servers, so they match anything.
 */
function learnSecrets(bindings: Bindings, recorded: string, actual: string): void {
  const marks = [...recorded.matchAll(/\{\{token:(\d+)\}\}/g)]
  if (marks.length === 0) return
  const literals = recorded.split(/\{\{token:\d+\}\}/).map(toPattern)
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
