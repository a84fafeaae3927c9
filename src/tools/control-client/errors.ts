/** One thing that is wrong with what was sent. */
export interface Finding {
  /** Such as `InvalidParameter`. */
  code: string
  /** A sentence that says what is wrong, and which document or choice says so. */
  message: string
  /** Where: `query.limit`, `body.match.path`. */
  target: string
  /** The rule behind it: a document and its place, or our choice. */
  source?: string
}

/** A call that the server refused, or that never reached one. */
export class ControlError extends Error {
  /** Tells it from other errors. */
  override readonly name = 'ControlError'
  /** Of the answer; 0 when there was none. */
  readonly status: number
  /** Of the answer, such as `NotFoundError`; `Unreachable` when there was none, `NotVendorCloud` when another came. */
  readonly code: string
  /** All that is wrong with what was sent. */
  readonly findings: readonly Finding[]

  constructor(status: number, code: string, message: string, findings: readonly Finding[] = [], cause?: unknown) {
    super(message, { cause })
    this.status = status
    this.code = code
    this.findings = findings
    leaveOutOwnFrames(this)
  }
}

/** Takes our own frames off the top of an error's stack: the first one is where the caller made the call. */
export function leaveOutOwnFrames(error: Error): void {
  const { stack = '', message } = error
  const head = stack.slice(0, stack.indexOf(message) + message.length)
  const frames = stack.slice(head.length).split('\n').slice(1)
  const [, folder] = /^ +at (?:.*\()?(.+[/\\])[^/\\]+:\d+:\d+\)?$/.exec(frames[0] ?? '') ?? []
  if (folder === undefined) return
  const first = frames.findIndex((frame) => !frame.includes(folder) && !frame.includes('(node:internal/'))
  if (first > 0) error.stack = [head, ...frames.slice(first)].join('\n')
}

type Coded = Error & { code?: string }

/** Why a call never reached a server. */
export function toUnreachable(origin: string, error: unknown): Error {
  const { name, message, code, cause } = error as Coded & { cause?: Coded }
  if (name === 'AbortError' || error instanceof ControlError) return error as Error
  // The parser of Node 24 gives its errors a name and no code.
  const isUnparsable = cause?.name === 'HTTPParserError'
  if (isUnparsable || /OVERFLOW|UND_ERR_SOCKET|ECONNRESET|EPIPE/.test(cause?.code ?? code ?? '')) {
    return toStranger(origin, 'it hangs up, or what it answers is no HTTP', error)
  }
  const reason = cause?.message || cause?.code || message
  return new ControlError(0, 'Unreachable', `no server answers at ${origin}: ${reason}`, [], error)
}

/** An answer that vendor-cloud does not give; `what` says what came in its place. */
export function toStranger(origin: string, what: string, cause?: unknown): ControlError {
  return new ControlError(0, 'NotVendorCloud', `${origin} is no vendor-cloud, or none that works: ${what}`, [], cause)
}

/** The words of a server when it refused, or was not ready. */
export function toControlError(origin: string, status: number, text: string): ControlError {
  try {
    const { error, reason } = JSON.parse(text) as { error?: Refusal; reason?: unknown }
    if (typeof reason === 'string') return new ControlError(status, 'Unavailable', reason)
    return new ControlError(status, String(error!.code), String(error!.message), error!.details?.map(toFinding))
  } catch (cause) {
    return toStranger(origin, `it answered ${status}: ${text.trim().slice(0, 200)}`, cause)
  }
}

interface Refusal {
  code: string
  message: string
  details?: Finding[]
}

function toFinding({ code, message, target, source }: Finding): Finding {
  return { code, message, target, ...(source !== undefined && { source }) }
}
