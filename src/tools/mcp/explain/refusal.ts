import type { JournalEntry } from '../../control-client/types.ts'
import type { Outcome } from '../calls/outcome.ts'

export interface RefusalFinding {
  code: string
  message: string
  /** Such as `query.limit` or `body.symptoms[0]`. */
  target: string
  source?: string | undefined
}

/** Why a call was refused: a document's rule, or a choice of ours. */
export interface Refusal {
  status: number | undefined
  /** Such as `SlotUnavailable`; of SOAP a fault's number, of the wallet its result code. */
  code: string
  message: string
  source?: string | undefined
  findings: readonly RefusalFinding[]
  /** Names of faults that answered it: then no rule refused. */
  faults: readonly string[]
  /** Parameters and fields that the operation does not know, with the ones that were probably meant. */
  ignored?: JournalEntry['ignored']
  /** Seconds that the reply asked to wait. */
  retryAfter?: number | undefined
}

/** Nothing where it was not refused. */
export function refusalOf({ status, why, faults = [], ignored, response }: JournalEntry): Refusal | undefined {
  const isFailure = (status ?? 599) >= 400
  if (!why && !isFailure) return undefined
  const { code = String(status ?? 'none'), message = sayStatus(status), source, findings = [] } = why ?? {}
  // A fault that only delayed a refusal has not refused.
  const answering = code === 'Fault' || !why ? faults : []
  const told = why ? {} : readError(response?.body)
  const seconds = Number(response?.headers['retry-after'])
  const retryAfter = Number.isInteger(seconds) && seconds > 0 ? seconds : undefined
  return { status, code, message, source, findings, faults: answering, ignored, retryAfter, ...told }
}

/** Of a call that has just been made. */
export function refusalOfOutcome({ passed, entry, status, body }: Outcome): Refusal | undefined {
  if (passed) return undefined
  const told = entry && refusalOf(entry)
  return (
    told ?? { status, code: String(status), message: sayStatus(status), findings: [], faults: [], ...readError(body) }
  )
}

/** The words of a reply, where no journal has them: the entry may be another instance's. */
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

/** Whether another rule refuses now. */
export function isSame(one: Refusal, other: Refusal): boolean {
  const key = ({ code, message, findings }: Refusal) => JSON.stringify([code, message, findings.map((f) => f.message)])
  return key(one) === key(other)
}
