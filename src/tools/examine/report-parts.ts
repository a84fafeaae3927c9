import type { JournalEntry } from '../client/types.ts'
import type { CheckReport, ExaminationReport } from './examination.ts'

export const grades = {
  A: 'every covered check passed',
  B: 'no MUST failed',
  C: 'few MUSTs failed',
  D: 'MUSTs failed, or none was covered',
} as const

const levels = ['MUST', 'SHOULD', 'INFO'] as const
const verdicts = ['passed', 'failed', 'not covered'] as const

export function writeCounts(checks: readonly CheckReport[]): string {
  const countOf = (verdict: CheckReport['verdict']) => checks.filter((check) => check.verdict === verdict).length
  return verdicts.map((verdict) => `${countOf(verdict)} ${verdict}`).join(', ')
}

export function failuresOf({ checks }: ExaminationReport): CheckReport[] {
  return levels.flatMap((level) => checks.filter((check) => check.level === level && check.verdict === 'failed'))
}

export function describeEntry({ id, at, method, path, query, status, why, frame }: JournalEntry): string {
  if (frame) return `#${id} ${at} frame ${frame.event} ${frame.id ?? ''}`
  const asked = `${method} ${path}${query === undefined ? '' : `?${query}`}`
  return `#${id} ${at} ${asked} → ${status ?? 'no answer'}${why ? `: ${why.message}` : ''}`
}

export function escapeText(text: string): string {
  return text.replace(/[&<>"'\p{Cc}]/gu, (character) =>
    character === '\n' ? '\n' : /\p{Cc}/u.test(character) ? '' : `&#${character.charCodeAt(0)};`,
  )
}
