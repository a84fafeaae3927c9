import { describeCertificate, describeFailure } from '#contract/failures.ts'

export interface Finding {
  /** A stable code, such as `InvalidParameter`, that programs may compare. */
  code: string
  /** A readable sentence that also names the document or choice behind it. */
  message: string
  /** The place in the call, such as `query.limit` or `body.match.path`. */
  target: string
  /** The rule that was violated: a section of a document, or our choice. */
  source?: string
}

/** The server refused the call, or the call never reached one. */
export class ControlError extends Error {
  /** Identifies this error across copies of the package. */
  override readonly name = 'ControlError'
  /** The status of the answer; 0 means that there was none. */
  readonly status: number
  /**
   * The code of the answer, such as `NotFoundError`; `Unreachable` means none came, `NotVendorCloud` that a stranger
   * answered.
   */
  readonly code: string
  /** Everything that is wrong with the call, so that it can be fixed in one step. */
  readonly findings: readonly Finding[]

  constructor(status: number, code: string, message: string, findings: readonly Finding[] = [], cause?: unknown) {
    super(message, { cause })
    this.status = status
    this.code = code
    this.findings = findings
    leaveOutOwnFrames(this)
  }
}

/** The first frame of a stack is then the place where the caller made the call. */
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

export function toUnreachable(origin: string, error: unknown, kind = 'Unreachable'): Error {
  const { name, code, cause } = error as Coded & { cause?: Coded }
  if (name === 'AbortError' || error instanceof ControlError) return error as Error
  if (name === 'TimeoutError') return toOtherServer(origin, 'it sent no complete response in time', error)
  if (cause?.message === 'unexpected redirect') return toOtherServer(origin, 'it redirects to another URL', error)
  // The parser of Node 24 gives its errors a name and no code.
  const isUnparsable = cause?.name === 'HTTPParserError'
  if (isUnparsable || /OVERFLOW|UND_ERR_SOCKET|ECONNRESET|EPIPE/.test(cause?.code ?? code ?? '')) {
    return toOtherServer(origin, 'it closed the connection or did not respond with HTTP', error)
  }
  const distrust = describeCertificate(error)
  const words = distrust === undefined ? `cannot reach ${origin}` : `${origin} is not trusted`
  return new ControlError(0, kind, `${words}: ${distrust ?? describeFailure(error)}`, [], error)
}

/** `what` says what came instead of the expected answer. */
export function toOtherServer(origin: string, what: string, cause?: unknown): ControlError {
  return new ControlError(0, 'NotVendorCloud', `${origin} is not a working vendor-cloud server: ${what}`, [], cause)
}

/** An answer of another shape makes code throw these errors. */
export function toShapeError(origin: string, error: unknown): unknown {
  if (!(error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError)) return error
  return toOtherServer(origin, 'its response has an unexpected format', error)
}

/** The server's own message says why it rejected the call or is not ready. */
export function toControlError(origin: string, status: number, text: string): ControlError {
  try {
    const { error, reason } = JSON.parse(text) as { error?: Refusal; reason?: unknown }
    if (typeof reason === 'string') return new ControlError(status, 'Unavailable', reason)
    const { code, message, details = [] } = error!
    const all = details.map((each) => String(each.message)).join('; ')
    return new ControlError(status, String(code), details.length > 1 ? all : String(message), details.map(toFinding))
  } catch (cause) {
    return toOtherServer(origin, `it responded with ${status}: ${text.trim().slice(0, 200)}`, cause)
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
