import type { Difference } from '../structural-diff.ts'
import type { OtherFixtures } from './case-player.ts'
import type { AgainstReport } from './replay-against.ts'

export interface ReplayReport {
  otherFixtures?: OtherFixtures
  same: boolean
  steps: number
  first?: { step: number; what: string; differences: Difference[] }
}

export function describeReplay({ otherFixtures, same, steps, first }: ReplayReport): string {
  const before = otherFixtures ? describeOther(otherFixtures) : ''
  const all = steps === 1 ? 'its only step' : `all ${steps} steps`
  if (same || !first) return `${before}${all} gave the same result as in the case\n`
  const lines = first.differences.map(describeDifference)
  return `${before}step ${first.step} of ${steps} differs: ${cut(first.what)}\n${lines.join('')}`
}

function describeOther({ name, version }: OtherFixtures): string {
  return `The fixtures "${cut(name)}" differ from those of the case, which was recorded with version ${cut(version)}.\n`
}

export function describeGroups({ asked, left, groups }: AgainstReport): string {
  const lines = groups.map((group, i) => {
    const { operation, count, step } = group
    const title = groups[i - 1]?.operation === operation ? '' : `${cut(operation)}\n`
    return `${title}${describeDifference(group)}    ${count === 1 ? '' : `${count} times, first `}in step ${step}\n`
  })
  const omitted = describeSkipped(left)
  const rest = omitted === '' ? '' : `; ${omitted}`
  return `${lines.join('')}calls: ${asked}, differences: ${groups.length}${rest}\n`
}

const reasons: Readonly<Record<string, string>> = {
  writes: 'that can change data (--allow-writes)',
  control: 'of the control API',
  streams: 'event streams',
  secrets: 'with unknown secrets (--secret token:N=VALUE)',
}

export function describeSkipped(left: Readonly<Record<string, number>>): string {
  const kinds = Object.entries(left).flatMap(([kind, count]) => (count > 0 ? [`${count} ${reasons[kind]}`] : []))
  return kinds.length > 0 ? `skipped: ${kinds.join(', ')}` : ''
}

const MOST_PRINTED = 2000

function describeDifference({ path, kind, recorded, actual }: Difference): string {
  const before = recorded === undefined ? '' : `    - ${cut(JSON.stringify(recorded))}\n`
  const after = actual === undefined ? '' : `    + ${cut(JSON.stringify(actual))}\n`
  return `  ${cut(path)} (${kind})\n${before}${after}`
}

export function cut(text: string): string {
  if (text.length <= MOST_PRINTED) return text
  return `${text.slice(0, MOST_PRINTED)}… (${text.length - MOST_PRINTED} more characters)`
}
