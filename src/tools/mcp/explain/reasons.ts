import { findRule } from '#contract/rules.ts'
import type { JournalEntry } from '#tools/client/types.ts'
import type { Outcome } from '../calls/outcome.ts'
import { toToolError } from '../errors.ts'

export interface Reason {
  code: string
  message: string
  target?: string
  /** The rule, in the format in which errors cite it. */
  source: string
  /** ID in the table of rules, if the table contains the rule. */
  id?: string
  sentence?: string
}

interface Cause {
  code: string
  message: string
  target?: string
  source?: string | undefined
  findings?: readonly Cause[] | undefined
}

/** Returns one reason per finding, or a single one without findings. Returns none for a complete successful response. */
export function reasonsOf({ status = 599, why, faults = [], response, processed, aborted }: JournalEntry): Reason[] {
  if (!why && status < 400 && !(processed && aborted)) return []
  if (faults.length > 0 && (!why || why.code === 'Fault')) {
    const names = `the injected fault ${faults.join(', ')}`
    const effect = why ? 'replaced' : 'lost'
    const message = processed
      ? `the request was processed, and its response was ${effect}: ${names} applied`
      : `no rule rejected the request: ${names} applied`
    return [{ code: why?.code ?? 'Fault', message, source: 'the tool `inject_fault`' }]
  }
  return toReasons(why ?? readError(status, response), why?.findings)
}

/** Maximum number of messages per rule. The tool `explain` returns all of them. */
const MOST_MESSAGES = 12

export function byRule(reasons: readonly Reason[]): Reason[] {
  if (reasons.length === 1) return [...reasons]
  return [...new Set(reasons.map(({ source }) => source))].map((source) => {
    const same = reasons.filter((reason) => reason.source === source)
    const { target: _, ...first } = same[0]!
    const left = same.length - MOST_MESSAGES
    const messages = same.slice(0, MOST_MESSAGES).map(({ message }) => message)
    return { ...first, message: [...messages, ...(left > 0 ? [`and ${left} more`] : [])].join('; ') }
  })
}

/** Reads the reasons from the body if another instance has the journal entry. */
export function reasonsOfOutcome({ entry, status, headers, body }: Outcome): Reason[] | undefined {
  if (status < 400 && !entry?.why) return undefined
  return entry ? reasonsOf(entry) : toReasons(readError(status, { headers, body }))
}

function toReasons(error: Cause, findings = error.findings): Reason[] {
  if (!findings || findings.length === 0) return [toReason(error, error.source)]
  return findings.map((finding) => toReason(finding, finding.source ?? error.source))
}

function toReason({ code, message, target }: Cause, source = 'our choice'): Reason {
  const { id, sentence } = findRule(source) ?? {}
  return {
    code,
    message: toToolError(message),
    ...(target !== undefined && { target }),
    source,
    ...(id !== undefined && { id, sentence: sentence! }),
  }
}

function readError(status: number, { headers, body }: Partial<Outcome> = {}): Cause {
  const source = headers?.['x-vendor-cloud-rule']
  const { error, resultCode, resultMessage } = (typeof body === 'object' && body !== null ? body : {}) as {
    error?: { code?: unknown; message?: unknown; details?: Cause[] }
    resultCode?: unknown
    resultMessage?: unknown
  }
  if (typeof error === 'object' && error !== null) {
    return { code: String(error.code), message: String(error.message), source, findings: error.details ?? [] }
  }
  if (resultCode !== undefined) return { code: String(resultCode), message: String(resultMessage), source }
  return {
    code: String(status),
    message: status === 599 ? 'there was no response' : `the response is ${status}`,
    source,
  }
}
