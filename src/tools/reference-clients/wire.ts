export interface Wire {
  /** Where the interfaces are, without a slash at the end. */
  url: string
  fetch?: typeof fetch
  /** Ends all that is under way: what waits throws its reason. */
  signal?: AbortSignal
  pause?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Milliseconds after which an answer counts as lost; 30,000 unless told. */
  timeoutMs?: number
}

export interface Reply {
  status: number
  headers: Headers
  text: string
}

/** The vendor answered, and will not do it. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal'
  readonly status: number
  /** The failure in the codes of the interface: `SlotUnavailable`, `CMN1N1002`, `301`. */
  readonly codes: readonly string[]
  /** Whether the same will be refused again. */
  readonly isFinal: boolean
  /** Milliseconds to wait before it is tried again, where the answer says so. */
  readonly waitMs: number

  constructor({ status, headers }: Omit<Reply, 'text'>, codes: readonly string[], message: string, isFinal?: boolean) {
    super(message)
    this.status = status
    this.codes = codes
    this.isFinal = isFinal ?? (status < 500 && status !== 429)
    this.waitMs = readRetryAfter(headers)
  }
}

/** No whole answer came: whether it was done nobody knows. */
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
    throw new LostAnswer(`no answer of ${init.method ?? 'GET'} ${path}`, { cause: error })
  }
}

/** Parses a reply that was to be JSON; where it is none the answer is lost. */
export function parseJson(text: string): unknown {
  const value = tryJson(text)
  if (value === undefined) throw new LostAnswer('the answer is no JSON')
  return value
}

/** A proxy on the way refuses in words of its own. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Seconds, or a date, by the clock of who answers; pages of other origins are not shown that. */
function readRetryAfter(headers: Headers): number {
  const text = headers.get('retry-after') ?? ''
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return ms > 0 ? ms : 0
}
