import type { Case, CaseStep } from '#contract/files/case.ts'
import { mapTexts } from '#contract/files/placeholders.ts'
import { readJsonOrText } from '#contract/records/decoded-text.ts'
import type { HttpRequest } from '#contract/exchange.ts'
import { type Difference, diffTexts, diffValues } from '../structural-diff.ts'
import { IdMapping } from '../id-mapping.ts'
import type { OtherCase } from './case-view.ts'
import { callOf } from './step-view.ts'

const MOST = 20

export function findFirstDifference(one: Case, other: Case, name: string): OtherCase {
  const idMapping = new IdMapping()
  const [before, after] = [withPlainMarks(one.steps), withPlainMarks(other.steps)]
  for (let i = 0; i < Math.max(before.length, after.length); i++) {
    const differences = compareSteps(before[i], after[i], idMapping)
    if (differences.length === 0) continue
    return { name, step: Math.max(1, Math.min(i + 1, one.steps.length)), differences: differences.slice(0, MOST) }
  }
  return { name, differences: [] }
}

function compareSteps(one: CaseStep | undefined, other: CaseStep | undefined, idMapping: IdMapping): Difference[] {
  if (!one) return [{ path: '', kind: 'further', actual: other }]
  if (!other) return [{ path: '', kind: 'missing', recorded: one }]
  const rules = { equal: idMapping.equal, fieldOrder: false }
  const [kinds, others] = [one, other].map((step) => Object.keys(step).slice(2).join())
  if (kinds !== others) return [{ path: '', kind: 'type', recorded: one, actual: other }]
  if (!('reply' in one) || !('reply' in other)) return diffValues('', withoutPlace(one), withoutPlace(other), rules)
  const asked = diffValues('call', toAsked(callOf(one)!), toAsked(callOf(other)!), rules)
  if (asked.length > 0) return asked
  const { status, body = '', cut } = one.reply
  const reply = other.reply
  if (status !== reply.status || cut !== reply.cut) {
    return [{ path: 'reply.status', kind: 'status', recorded: status ?? 'none', actual: reply.status ?? 'none' }]
  }
  return diffTexts('reply.body', body, reply.body ?? '', rules)
}

function toAsked({ method, path, body }: HttpRequest) {
  return { method, path, body: typeof body === 'string' ? readJsonOrText(body) : body }
}

function withoutPlace({ step: _step, at: _at, ...rest }: CaseStep): unknown {
  return rest
}

/** Renames placeholders and removes the addresses of servers and worlds, because these differ between runs. */
function withPlainMarks(steps: readonly CaseStep[]): CaseStep[] {
  const numbers = new Map<string, number>()
  const renumber = (mark: string) => {
    const number = numbers.get(mark) ?? numbers.size + 1
    numbers.set(mark, number)
    return `{{${number}}}`
  }
  const plain = (text: string) =>
    text.replace(/\{\{(?:token|digest):\d+\}\}/g, renumber).replace(/https?:\/\/[\w.:[\]-]+(?:\/w\/[a-z0-9-]+)?/g, '')
  return steps.map((step) => mapTexts(step, plain) as CaseStep)
}
