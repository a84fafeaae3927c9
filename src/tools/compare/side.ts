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

/** Sends the requests of a case to a server, or returns stored responses for them. */
export type Peer = Pick<Side, 'lacks' | 'ask' | 'countFrames' | 'takeFrames'>

/** Sends requests with the server's own IDs and secrets, which are learned from its responses. */
export class Side {
  readonly #request: Request
  readonly #bindings: Bindings
  readonly #idMapping = new IdMapping()
  readonly #streams = new Map<number, EventStream>()

  constructor(request: Request, bindings: Bindings) {
    this.#request = request
    this.#bindings = bindings
  }

  /** True if a placeholder has no known value or the body was not recorded. */
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

  countFrames(step: number): number {
    return this.#streams.get(step)?.frames.waiting ?? 0
  }

  /** Closes the stream and returns its frames. `recorded` contains the frames of this stream in the case. */
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
    if (leadsAbove(sent.path)) throw new UnusableCase(`the path ${sent.path} leads above the root`)
    return sent
  }

  #learn(recorded: HttpResponse, actual: ReceivedResponse): void {
    if (recorded.body === undefined || actual.body === undefined || !isAlike(recorded.status, actual.status)) return
    // Equal text contains equal IDs, so there is nothing to learn.
    if (recorded.body === actual.body) return
    const equal: Rules['equal'] = (before, after, path) => {
      if (typeof before === 'string' && typeof after === 'string') learnSecrets(this.#bindings, before, after)
      return this.#idMapping.equal(before, after, path)
    }
    diffBodies(recorded, actual, { equal, mapIds: this.#idMapping.mapIds })
  }
}

/** When a request creates a record, vendors may return 200 or 201. Both mean success. */
const isAlike = (recorded = 0, actual = 0) => recorded === actual || (recorded < 300 && actual >= 200 && actual < 300)

/** Learns the text at each placeholder. IDs and addresses differ between servers, so any text matches them. */
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
