import type { CaseStep } from '#contract/files/case.ts'

/**
 * The clock stands at the last call, or where that call put it, and never before what the call caused. Milliseconds
 * since the epoch.
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
