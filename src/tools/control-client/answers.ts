import { ControlError, toStranger } from './errors.ts'

/** Only a stranger or a broken server exceeds these bounds. */
export interface Bounds {
  /** The first byte, and each next one, must come within so many milliseconds; absent, nothing is bounded. */
  patience?: number | undefined
  bytes: number
}

export const bounds = { patience: 30_000, bytes: 256 * 1024 * 1024 } as const satisfies Bounds

/** A whole answer may take `patience` so many times: one that comes byte by byte never ends. */
const LONGEST = 4

/** A redirect is not followed, because the key would follow it to another host. */
export async function askOnce(
  call: typeof fetch,
  { origin, target, init }: { origin: string; target: string; init: RequestInit },
  { patience }: Bounds,
): Promise<Response> {
  const late = new AbortController()
  const timer = patience === undefined ? undefined : setTimeout(() => late.abort(), patience)
  const signals = [init.signal, patience === undefined ? undefined : late.signal].flatMap((each) => each ?? [])
  try {
    const reply = await call(target, {
      ...init,
      redirect: 'manual',
      ...(signals.length > 0 && { signal: signals.length > 1 ? AbortSignal.any(signals) : signals[0]! }),
    })
    if (reply.type === 'opaqueredirect' || (reply.status >= 300 && reply.status < 400)) {
      await reply.body?.cancel().catch(() => {})
      const to = reply.headers.get('location')
      throw toStranger(origin, `it sends elsewhere${to === null ? '' : `, to ${to.slice(0, 200)}`}`)
    }
    return reply
  } catch (error) {
    if (!late.signal.aborted) throw error
    throw toStranger(origin, `it says nothing for ${patience! / 1000} s`, error)
  } finally {
    clearTimeout(timer)
  }
}

export async function readBytes(origin: string, { body }: Response, { patience, bytes }: Bounds): Promise<Uint8Array> {
  if (!body) return new Uint8Array()
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader()
  const pieces: Uint8Array[] = []
  let [size, isLate] = [0, false]
  const giveUp = () => {
    isLate = true
    reader.cancel().catch(() => {})
  }
  const whole = patience === undefined ? undefined : setTimeout(giveUp, LONGEST * patience)
  let idle: ReturnType<typeof setTimeout> | undefined
  try {
    for (;;) {
      clearTimeout(idle)
      idle = patience === undefined ? undefined : setTimeout(giveUp, patience)
      const { done, value } = await reader.read()
      if (isLate) throw toStranger(origin, 'its answer does not end')
      if (done) break
      size += value.length
      if (size > bytes) throw toStranger(origin, `its answer is larger than ${bytes / 1024 / 1024} MB`)
      pieces.push(value)
    }
  } catch (error) {
    throw error instanceof ControlError ? error : toStranger(origin, 'its answer was cut off', error)
  } finally {
    clearTimeout(idle)
    clearTimeout(whole)
    void reader.cancel().catch(() => {})
  }
  return join(pieces, size)
}

export async function readAnswer(origin: string, reply: Response, within: Bounds): Promise<string> {
  return new TextDecoder().decode(await readBytes(origin, reply, within))
}

function join(pieces: readonly Uint8Array[], size: number): Uint8Array {
  if (pieces.length === 1) return pieces[0]!
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
