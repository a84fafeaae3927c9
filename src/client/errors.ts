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
  /** Of the answer, such as `NotFoundError`; `Unreachable` when there was none. */
  readonly code: string
  /** All that is wrong with what was sent. */
  readonly findings: readonly Finding[]

  constructor(status: number, code: string, message: string, findings: readonly Finding[] = [], cause?: unknown) {
    super(message, { cause })
    this.status = status
    this.code = code
    this.findings = findings
  }
}

/** Why a call never reached a server. */
export function toUnreachable(origin: string, error: unknown): Error {
  const { name, message, cause } = error as Error & { cause?: Error & { code?: string } }
  if (name === 'AbortError') return error as Error
  const reason = cause?.message || cause?.code || message
  return new ControlError(0, 'Unreachable', `no server answers at ${origin}: ${reason}`, [], error)
}

/** What a server said when it refused. */
export function toControlError(status: number, text: string): ControlError {
  try {
    const { error } = JSON.parse(text) as { error: { code: string; message: string; details?: Finding[] } }
    return new ControlError(status, error.code, error.message, error.details?.map(toFinding))
  } catch {
    return new ControlError(status, 'Unknown', text.slice(0, 500))
  }
}

function toFinding({ code, message, target, source }: Finding): Finding {
  return { code, message, target, ...(source !== undefined && { source }) }
}
