import { findRule } from '../../../../contract/rules.ts'
import { inToolWords } from '../../errors.ts'
import type { Refusal } from '../refusal.ts'

export interface Reason {
  code: string
  message: string
  target?: string
  source: string
  /** The rule at that source. */
  sentence?: string
}

/** A refusal without findings stands on one rule. */
export function listReasons(refusal: Refusal): Reason[] {
  const { code, message, findings, faults } = refusal
  if (faults.length > 0) {
    const told = `no rule refused it: the fault ${faults.join(', ')} struck, which somebody provoked`
    return [{ code, message: told, source: 'the tool disturb' }]
  }
  if (findings.length === 0) return [toReason({ code, message, source: refusal.source })]
  return findings.map((finding) => toReason({ ...finding, source: finding.source ?? refusal.source }))
}

function toReason(given: { code: string; message: string; target?: string; source?: string | undefined }): Reason {
  const { code, message, target, source = readSource(message) } = given
  const sentence = findRule(source)?.sentence
  return {
    code,
    // The source is a field of its own, so the message need not repeat it.
    message: inToolWords(message.replace(` (${source})`, '')),
    ...(target !== undefined && { target }),
    source,
    ...(sentence !== undefined && { sentence }),
  }
}

/** Where another instance keeps the journal, only the words of the reply tell the source. */
function readSource(message: string): string {
  return /\((our choice[^()]*|document \d[^()]*)\)$/.exec(message)?.[1] ?? 'our choice'
}
