/** How a client reaches the vendor. */
export interface Wire {
  /** Where the interfaces are, without a slash at the end. */
  url: string
  /** In the place of the platform's. */
  fetch?: typeof fetch
  /** Ends all that is under way: what waits throws its reason. */
  signal?: AbortSignal
  /** In the place of a timer. */
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
  /** Of the answer. */
  readonly status: number
  /** What is wrong, in the codes of the interface: `SlotUnavailable`, `CMN1N1002`, `301`. */
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
    this.waitMs = readRetryAfter(headers.get('retry-after'))
  }
}

/** No whole answer came: whether it was done nobody knows. */
export class LostAnswer extends Error {
  override readonly name = 'LostAnswer'
}

/** Of one call, with the first. */
const TRIES = 6
/** Milliseconds before the second; each further one waits twice as long, up to the longest. */
const FIRST_PAUSE = 250
const LONGEST_PAUSE = 60_000

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

/** What was to be JSON; where it is none the answer is lost. */
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

/**
 * Tries again what may pass: 429 and 503 say that nothing was done; another failure of the vendor's, or a lost answer,
 * leaves that open, so that only what does no harm when it is done twice comes again.
 */
export async function persist<T>(wire: Wire, isSafe: boolean, attempt: () => Promise<T>, tries = TRIES): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      if (failures >= tries || !mayPass(error, isSafe)) throw error
      await rest(wire, failures, error)
    }
  }
}

function mayPass(error: unknown, isSafe: boolean): boolean {
  if (error instanceof LostAnswer) return isSafe
  if (!(error instanceof Refusal) || error.isFinal) return false
  return isSafe || error.status === 429 || error.status === 503
}

/** Longer after each failure, and never shorter than the vendor or the caller asks for. */
export async function rest(wire: Wire, failures: number, error?: unknown, leastMs = 0): Promise<void> {
  // Many that lost their vendor at once do not come back at once.
  const jitter = 1 + Math.random() / 10
  const backoff = Math.min(FIRST_PAUSE * 2 ** (failures - 1) * jitter, LONGEST_PAUSE)
  await wait(wire, Math.max(backoff, leastMs, error instanceof Refusal ? error.waitMs : 0))
}

export function wait({ pause = sleep, signal }: Wire, ms: number): Promise<void> {
  return pause(ms, signal)
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}

/** Seconds, or a date. */
function readRetryAfter(text: string | null): number {
  if (text === null) return 0
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return ms > 0 ? ms : 0
}
