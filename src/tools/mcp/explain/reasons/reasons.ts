import { type Choice, withoutLinks } from '../../../../contract/records/choices/choice.ts'
import { choices } from '../../../../contract/records/choices/choices.ts'
import { inToolWords } from '../../errors.ts'
import type { Refusal } from '../refusal.ts'
import { sentenceAt } from './sentences.ts'

export interface Reason {
  code: string
  message: string
  target?: string
  source: string
  /** The sentence of that place in its own words, or the choice with the silence that it fills. */
  sentence?: string
}

/** A refusal without findings stands on one rule. */
export function listReasons(refusal: Refusal, operation: number | string | undefined): Reason[] {
  const { code, message, findings, faults } = refusal
  if (faults.length > 0) {
    const told = `no rule refused it: the fault ${faults.join(', ')} struck, which somebody provoked`
    return [{ code, message: told, source: 'the tool disturb' }]
  }
  if (findings.length === 0) return [toReason({ code, message, source: refusal.source }, operation)]
  return findings.map((finding) => toReason({ ...finding, source: finding.source ?? refusal.source }, operation))
}

function toReason(
  given: { code: string; message: string; target?: string; source?: string | undefined },
  operation: number | string | undefined,
): Reason {
  const { code, message, target, source = readSource(message) } = given
  const sentence = findSentence(source, code, operation)
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

/** These rows hold for every operation; a row about the operation's own fields says more. */
const GENERAL = ['required-fields', 'field-forms']

function findSentence(source: string, code: string, operation: number | string | undefined): string | undefined {
  if (!source.startsWith('our choice')) return sentenceAt(source, code, operation)
  const [, id = GENERAL[0]!] = /^our choice: ([a-z0-9-]+)$/.exec(source) ?? []
  if (!GENERAL.includes(id)) return sayChoice(id)
  const about = Object.entries(choices).find(
    ([name, { operations }]) => name.endsWith('-fields') && (operations as readonly unknown[]).includes(operation),
  )
  return sayChoice(about?.[0] ?? id)
}

function sayChoice(id: string): string | undefined {
  if (!Object.hasOwn(choices, id)) return undefined
  const { silence, choice, why }: Choice = choices[id as keyof typeof choices]
  const reason = why === undefined ? '' : ` (${why})`
  return withoutLinks(`The documents are silent on: ${silence}. Our choice (${id}): ${choice}${reason}`)
}
