import type { View } from '#server/ports/store.ts'
import type { SymptomChoice } from '#contract/records/dealer/service-request.ts'
import type { TicketDraft } from '#contract/records/dealer/ticket.ts'
import { type Finding, finding, invalidInput } from '../errors.ts'

/** Each code must belong to its level of the product's tree, below the code before. */
export async function requireSymptoms(
  store: View,
  subType: string,
  { symCode1, symCode2, symCode3 }: Pick<TicketDraft, 'symCode1' | 'symCode2' | 'symCode3'>,
): Promise<SymptomChoice[]> {
  const choices: SymptomChoice[] = []
  const findings: Finding[] = []
  const codes = [symCode1, symCode2, symCode3].filter((code) => code !== undefined)
  for (const [i, code] of codes.entries()) {
    const level = i + 1
    const symptom = await store.symptoms.get(code)
    const fits = symptom?.subType === subType && symptom.level === level
    if (symptom && fits && (level === 1 || symptom.parentCode === codes[i - 1])) {
      choices.push({ level, code, description: symptom.names['E'] ?? code })
    } else {
      const below = level === 1 ? '' : ` below ${codes[i - 1]}`
      const rule = `is ${code}, which is no symptom of level ${level}${below} for a ${subType}`
      findings.push(finding(`body.symCode${level}`, rule, { source: 'our choice: ticket-references' }))
    }
  }
  if (findings.length > 0) throw invalidInput(findings)
  return choices
}
