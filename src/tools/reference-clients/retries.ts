import { LostAnswer, Refusal, type Wire } from './wire.ts'

/** Maximum number of attempts, including the first one. */
const TRIES = 6
/** Without a server at the URL. A server that restarts is available again after a short time. */
const TRIES_IF_REFUSED = 3
/** First pause in milliseconds. Each later pause is twice as long as the previous one, up to `LONGEST_PAUSE`. */
const FIRST_PAUSE = 250
const LONGEST_PAUSE = 60_000

/** After 429 and 503, nothing was executed. After any other failure, only safe calls are repeated. */
export async function persist<T>(wire: Wire, isSafe: boolean, attempt: () => Promise<T>, tries?: number): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      const isRefused = error instanceof LostAnswer && error.code === 'ECONNREFUSED'
      if (failures >= (tries ?? (isRefused ? TRIES_IF_REFUSED : TRIES)) || !mayPass(error, isSafe)) throw error
      await rest(wire, failures, error)
    }
  }
}

function mayPass(error: unknown, isSafe: boolean): boolean {
  if (error instanceof LostAnswer) return isSafe
  if (!(error instanceof Refusal) || error.isFinal) return false
  return isSafe || error.status === 429 || error.status === 503
}

/** The pause is at least as long as the vendor requested, and at least `leastMs`. */
export async function rest(wire: Wire, failures: number, error?: unknown, leastMs = 0): Promise<void> {
  // Prevents all clients from returning at the same time after an outage.
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
