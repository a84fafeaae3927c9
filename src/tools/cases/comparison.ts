import { passingReplyHeaders } from '#contract/files/passing-headers.ts'
import type { HttpResponse } from '#contract/exchange.ts'
import type { CaseStep } from '#contract/files/case.ts'
import type { Bindings } from '#contract/files/placeholders.ts'
import { type Difference, diffTexts, diffXml, diffValues } from './structural-diff.ts'

export type Outcome =
  | { kind: 'reply'; reply: HttpResponse }
  | { kind: 'frame'; frame: unknown }
  | { kind: 'mail'; mail: unknown }
  | { kind: 'nothing' }

/** Tolerates no differences, because a replay must match the recording byte by byte. */
export function compareOutcome(step: CaseStep, outcome: Outcome, bindings: Bindings): Difference[] {
  if (outcome.kind === 'reply' && 'reply' in step) return compareReplies(step.reply, outcome.reply, bindings)
  if (outcome.kind === 'frame' && 'frame' in step) return compareValues('frame', step.frame, outcome.frame, bindings)
  if (outcome.kind === 'mail' && 'mail' in step) return compareValues('mail', step.mail, outcome.mail, bindings)
  return []
}

function compareReplies(recorded: HttpResponse, actual: HttpResponse, bindings: Bindings): Difference[] {
  if (recorded.status !== actual.status) {
    const status = { path: 'reply.status', kind: 'status', recorded: recorded.status, actual: actual.status } as const
    if (actual.body === undefined) return [status]
    const elements = diffXml('reply.body', recorded.body ?? '', actual.body)
    if (elements.length > 0) return [status, ...elements]
    return [status, { path: 'reply.body', kind: 'value', recorded: recorded.body, actual: actual.body }]
  }
  return [
    ...compareHeaders(recorded, actual, bindings),
    ...(recorded.cut === actual.cut
      ? []
      : [{ path: 'reply.cut', kind: 'value' as const, recorded: recorded.cut, actual: actual.cut }]),
    ...(recorded.body === undefined || recorded.cut
      ? []
      : diffTexts('reply.body', bindings.learn(recorded.body, actual.body ?? ''), actual.body ?? '')),
  ]
}

function compareHeaders(recorded: HttpResponse, actual: HttpResponse, bindings: Bindings): Difference[] {
  const kept = (headers: HttpResponse['headers'] = {}) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !passingReplyHeaders.has(name)))
  const expected = bindings.fillAll(kept(recorded.headers))
  return diffValues('reply.headers', expected, kept(actual.headers), { fieldOrder: false })
}

function compareValues(path: string, recorded: unknown, actual: unknown, bindings: Bindings): Difference[] {
  if (actual === undefined) return [{ path, kind: 'missing', recorded }]
  const [before, after] = [JSON.stringify(recorded), JSON.stringify(actual)]
  return diffTexts(path, bindings.learn(before, after), after)
}
