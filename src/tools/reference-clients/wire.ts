export interface Wire {
  /** Ends without a slash. */
  url: string
  fetch?: typeof fetch
  /** Aborts everything under way; whatever waits throws its reason. */
  signal?: AbortSignal
  pause?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Milliseconds after which a response counts as lost. Default: 30,000. */
  timeoutMs?: number
}

export interface Reply {
  status: number
  headers: Headers
  text: string
}

/** The vendor answered and will not do it. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal'
  readonly status: number
  /** Codes of the interface, such as `SlotUnavailable`, `CMN1N1002` or `301`. */
  readonly codes: readonly string[]
  /** When true, repeating the call would be refused again. */
  readonly isFinal: boolean
  /** The answer's own wish; 0 where it has none. */
  readonly waitMs: number

  constructor({ status, headers }: Omit<Reply, 'text'>, codes: readonly string[], message: string, isFinal?: boolean) {
    super(message)
    this.status = status
    this.codes = codes
    this.isFinal = isFinal ?? (status < 500 && status !== 429)
    this.waitMs = readRetryAfter(headers)
  }
}

/** It is unknown whether the operation ran. */
export class LostAnswer extends Error {
  override readonly name = 'LostAnswer'
}

export async function send(wire: Wire, path: string, init: RequestInit = {}): Promise<Reply> {
  const { url, fetch: call = globalThis.fetch, signal, timeoutMs = 30_000 } = wire
  const late = AbortSignal.timeout(timeoutMs)
  try {
    const reply = await call(url + path, { ...init, signal: signal ? AbortSignal.any([signal, late]) : late })
    return { status: reply.status, headers: reply.headers, text: await reply.text() }
  } catch (error) {
    signal?.throwIfAborted()
    throw new LostAnswer(`no response to ${init.method ?? 'GET'} ${path}`, { cause: error })
  }
}

/** A reply that should be JSON and is none counts as a lost answer. */
export function parseJson(text: string): unknown {
  const value = tryJson(text)
  if (value === undefined) throw new LostAnswer('the response is not JSON')
  return value
}

/** A proxy on the way refuses in a form of its own. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The date follows the server's clock; browsers hide that header from pages of other origins. */
function readRetryAfter(headers: Headers): number {
  const text = headers.get('retry-after') ?? ''
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return ms > 0 ? ms : 0
}
