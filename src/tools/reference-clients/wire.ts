export interface Wire {
  /** Base URL without a trailing slash. */
  url: string
  fetch?: typeof fetch
  /** Aborts all requests and pauses. They reject with the reason of the signal. */
  signal?: AbortSignal
  pause?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Milliseconds after which the client treats a response as lost. Default: 30,000. */
  timeoutMs?: number
}

export interface Reply {
  status: number
  headers: Headers
  text: string
}

/** The vendor responded with an error. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal'
  readonly status: number
  /** Error codes of the interface, such as `SlotUnavailable`, `CMN1N1002` or `301`. */
  readonly codes: readonly string[]
  /** If true, repeating the call would fail with the same error. */
  readonly isFinal: boolean
  /** Milliseconds to wait according to the response. 0 if the response does not contain a time. */
  readonly waitMs: number

  constructor({ status, headers }: Omit<Reply, 'text'>, codes: readonly string[], message: string, isFinal?: boolean) {
    super(message)
    this.status = status
    this.codes = codes
    this.isFinal = isFinal ?? (status < 500 && status !== 429)
    this.waitMs = readRetryAfter(headers)
  }
}

/** The response was lost, so it is unknown whether the operation was executed. */
export class LostAnswer extends Error {
  override readonly name = 'LostAnswer'
  /** `ECONNREFUSED` if no server is running at the URL. Browsers report no code. */
  readonly code: unknown

  constructor(message: string, options?: ErrorOptions & { code?: unknown }) {
    super(message, options)
    this.code = options?.code
  }
}

export async function send(wire: Wire, path: string, init: RequestInit = {}): Promise<Reply> {
  const { url, fetch: call = globalThis.fetch, signal, timeoutMs = 30_000 } = wire
  const late = AbortSignal.timeout(timeoutMs)
  try {
    const reply = await call(url + path, { ...init, signal: signal ? AbortSignal.any([signal, late]) : late })
    return { status: reply.status, headers: reply.headers, text: await reply.text() }
  } catch (error) {
    signal?.throwIfAborted()
    // `fetch` reports only that it failed. Its cause contains the reason.
    const { cause = error } = error as Error
    const { code, message } = cause as { code?: unknown; message?: string }
    const words = `no response to ${init.method ?? 'GET'} ${url}${path}: ${message || String(code)}`
    const what = code === 'ECONNREFUSED' ? `cannot reach ${url}: connection refused (ECONNREFUSED)` : words
    throw new LostAnswer(what, { cause: error, code })
  }
}

/** A response that is not valid JSON counts as lost. */
export function parseJson(text: string): unknown {
  const value = tryJson(text)
  if (value === undefined) throw new LostAnswer('the response is not JSON')
  return value
}

/** Returns undefined for text that is not JSON, such as the error page of a proxy. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A date is compared with the server's time in the `date` header, which browsers hide from other origins. */
function readRetryAfter(headers: Headers): number {
  const text = headers.get('retry-after') ?? ''
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return ms > 0 ? ms : 0
}
