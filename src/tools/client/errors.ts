import { describeCertificate, describeFailure } from '#contract/failures.ts'

export interface Finding {
  /** Stable code that programs can compare, such as `InvalidParameter`. */
  code: string
  /** Readable sentence that also names the violated document section or choice. */
  message: string
  /** Path of the invalid value in the call, such as `query.limit` or `body.match.path`. */
  target: string
  /** Violated rule: a section of a document, or a choice of vendor-cloud. */
  source?: string
}

/** The server rejected the call, or no vendor-cloud server responded to it. */
export class ControlError extends Error {
  /** Identifies this error even if several copies of the package are loaded. */
  override readonly name = 'ControlError'
  /** HTTP status of the error response, or 0 if no vendor-cloud server responded. */
  readonly status: number
  /**
   * Code of the error response, such as `NotFoundError`. `Unreachable` if no server responded, `NotVendorCloud` if the
   * response is not from a vendor-cloud server.
   */
  readonly code: string
  /** All validation errors of the call. */
  readonly findings: readonly Finding[]

  constructor(status: number, code: string, message: string, findings: readonly Finding[] = [], cause?: unknown) {
    super(message, { cause })
    this.status = status
    this.code = code
    this.findings = findings
    leaveOutOwnFrames(this)
  }
}

/** Removes the frames of this package, so that the stack starts where the caller made the call. */
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

/** `hint` is added if there is no connection to the server. */
export function toUnreachable(origin: string, error: unknown, kind = 'Unreachable', hint = ''): Error {
  const { name, code, cause } = error as Coded & { cause?: Coded }
  if (name === 'AbortError' || error instanceof ControlError) return error as Error
  if (name === 'TimeoutError') return toOtherServer(origin, 'it sent no complete response in time', error)
  if (cause?.message === 'unexpected redirect') return toOtherServer(origin, 'it redirects to another URL', error)
  // In Node 24, errors of the HTTP parser have a name but no code.
  const isUnparsable = cause?.name === 'HTTPParserError'
  if (isUnparsable || /OVERFLOW|UND_ERR_SOCKET|ECONNRESET|EPIPE/.test(cause?.code ?? code ?? '')) {
    const hint = origin.startsWith('http:') ? '. It may need https://' : ''
    return toOtherServer(origin, `it closed the connection or did not respond with HTTP${hint}`, error)
  }
  const distrust = describeCertificate(error)
  const words = distrust === undefined ? `cannot reach ${origin}` : `${origin} is not trusted`
  const isPlain = /wrong version number/.test(cause?.message ?? '')
  if (isPlain) return toOtherServer(origin, 'it does not use TLS. It may need http://', error)
  const fix = distrust === undefined && cause?.code !== undefined ? hint : ''
  return new ControlError(0, kind, `${words}: ${distrust ?? describeFailure(error)}${fix}`, [], error)
}

export function toOtherServer(origin: string, what: string, cause?: unknown): ControlError {
  return new ControlError(0, 'NotVendorCloud', `${origin} is not a working vendor-cloud server: ${what}`, [], cause)
}

/** Code that reads a response throws these errors if the response has an unexpected format. */
export function toShapeError(origin: string, error: unknown): unknown {
  if (!(error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError)) return error
  return toOtherServer(origin, 'its response has an unexpected format', error)
}

/** Uses the server's own message, which explains why it rejected the call or is not ready. */
export function toControlError(origin: string, status: number, text: string): ControlError {
  try {
    const { error, reason } = JSON.parse(text) as { error?: Refusal; reason?: unknown }
    if (typeof reason === 'string') return new ControlError(status, 'Unavailable', reason)
    const { code, message, details = [] } = error!
    const all = details.map((each) => String(each.message)).join('; ')
    return new ControlError(status, String(code), details.length > 1 ? all : String(message), details.map(toFinding))
  } catch (cause) {
    // Proxies respond with HTML. Its markup does not help the user.
    const says = text.trim().startsWith('<') ? 'an HTML page' : text.trim().slice(0, 200)
    return toOtherServer(origin, `it responded with ${status}: ${says}`, cause)
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
