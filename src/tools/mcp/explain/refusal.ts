import type { JournalEntry } from '../../control-client/types.ts'
import type { Outcome } from '../calls/outcome.ts'

export interface RefusalFinding {
  code: string
  message: string
  target: string
  source?: string | undefined
}

export interface Refusal {
  status: number | undefined
  /** In SOAP the code is a fault's number, in the wallet its result code. */
  code: string
  message: string
  source?: string | undefined
  findings: readonly RefusalFinding[]
  /** When a provoked fault answered, no rule refused. */
  faults: readonly string[]
  /** Unknown parameters and fields are often misspelt ones, so they come with the names that were probably meant. */
  ignored?: JournalEntry['ignored']
  retryAfter?: number | undefined
}

export function refusalOf({ status, why, faults = [], ignored, response }: JournalEntry): Refusal | undefined {
  const isFailure = (status ?? 599) >= 400
  if (!why && !isFailure) return undefined
  const { code = String(status ?? 'none'), message = sayStatus(status), source, findings = [] } = why ?? {}
  // A fault that only delayed the reply has not refused the call.
  const answering = code === 'Fault' || !why ? faults : []
  const told = why ? {} : readError(response?.body)
  const seconds = Number(response?.headers['retry-after'])
  const retryAfter = Number.isInteger(seconds) && seconds > 0 ? seconds : undefined
  return { status, code, message, source, findings, faults: answering, ignored, retryAfter, ...told }
}

export function refusalOfOutcome({ passed, entry, status, body }: Outcome): Refusal | undefined {
  if (passed) return undefined
  const told = entry && refusalOf(entry)
  return (
    told ?? { status, code: String(status), message: sayStatus(status), findings: [], faults: [], ...readError(body) }
  )
}

/** The entry may stand in another instance's journal; then only the reply tells why. */
function readError(body: unknown): Partial<Refusal> {
  const { error, resultCode, resultMessage } = (typeof body === 'object' && body !== null ? body : {}) as {
    error?: { code?: unknown; message?: unknown; details?: RefusalFinding[] }
    resultCode?: unknown
    resultMessage?: unknown
  }
  if (typeof error === 'object' && error !== null) {
    return { code: String(error.code), message: String(error.message), findings: error.details ?? [] }
  }
  return resultCode === undefined ? {} : { code: String(resultCode), message: String(resultMessage) }
}

function sayStatus(status: number | undefined): string {
  return status === undefined ? 'nothing was answered' : `it was answered ${status}`
}

/** Equal codes, messages and findings mean that the same rule refused again. */
export function isSame(one: Refusal, other: Refusal): boolean {
  const key = ({ code, message, findings }: Refusal) => JSON.stringify([code, message, findings.map((f) => f.message)])
  return key(one) === key(other)
}
