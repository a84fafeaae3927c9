import type { CaseStep } from '../../../contract/records/control/case.ts'

/**
 * Where these steps have left the clock, in milliseconds since the epoch: at the instant of the last call, or where
 * that has put it, and not before what came of it.
 */
export function clockBehind(steps: readonly CaseStep[]): number | undefined {
  const from = steps.findLastIndex((step) => 'reply' in step)
  const call = steps[from]
  const rest = steps.slice(Math.max(0, from)).map(({ at }) => Date.parse(at))
  const moved = call && 'control' in call && call.control.path.startsWith('/_control/clock') ? readNow(call) : undefined
  if (moved !== undefined) rest[0] = moved
  return rest.length === 0 ? undefined : Math.max(...rest)
}

function readNow({ reply }: Extract<CaseStep, { control: unknown }>): number | undefined {
  try {
    const { now } = JSON.parse(reply.body ?? '') as { now?: unknown }
    const at = reply.status === 200 ? Date.parse(String(now)) : Number.NaN
    return Number.isNaN(at) ? undefined : at
  } catch {
    return undefined
  }
}
