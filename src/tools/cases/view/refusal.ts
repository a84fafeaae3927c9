import type { CaseStep } from '#contract/files/case.ts'
import type { Reason } from './case-view.ts'
import { findJson } from '#contract/records/decoded-text.ts'

/** A message on the wire ends with the place of its rule. */
export function splitMessage(message: string): { message: string; source?: string } {
  const [, text, source] = /^(.*) \((our choice[^()]*|document [^()]*)\)$/s.exec(message) ?? []
  return text === undefined || source === undefined ? { message } : { message: text, source }
}

/** Only replies of documents 1 and 2a tell why. */
export function readRefusal(step: CaseStep): Reason | undefined {
  if (!('reply' in step) || (step.reply.status ?? 0) < 400) return undefined
  const { error } = Object(findJson(step.reply.body)) as { error?: WireError }
  if (typeof error?.message !== 'string') return undefined
  const details = Array.isArray(error.details) ? error.details : []
  const findings = details
    .map((each) => Object(each) as WireError)
    .map(({ code, message, target }) => ({
      code: String(code ?? ''),
      ...splitMessage(String(message ?? '')),
      target: String(target ?? ''),
    }))
  return { code: String(error.code ?? ''), ...splitMessage(error.message), findings }
}

/** Where several rules refused, the first one counts. */
export function sourceOf({ source, findings }: Reason): string | undefined {
  return source ?? findings.find((finding) => finding.source !== undefined)?.source
}

interface WireError {
  code?: unknown
  message?: unknown
  target?: unknown
  details?: unknown
}
