import { toArchiveEntry, toArchiveMessage } from '#contract/files/http-archive.ts'
import type { CaseFrame, CaseStep } from '#contract/files/case.ts'
import type { CaseView } from './case-view.ts'
import { callOf, readRefusal } from './step-view.ts'

/** Frames are stored with the request that opened the stream. */
export function toHttpArchive({ about, steps, played }: CaseView, only?: number): string {
  const base = about.publicUrl ?? 'http://localhost:8080'
  const frames = findFrames(steps)
  const chosen = steps.filter(({ step }) => only === undefined || step === only)
  const entries = chosen.flatMap((step) => {
    const call = callOf(step)
    if (!call || !('reply' in step)) return []
    const why = played[step.step]?.why ?? readRefusal(step)
    const sent = frames.get(step.step)
    return [
      {
        ...toArchiveEntry({ at: step.at, call, reply: step.reply }, base),
        ...(why && { _why: why }),
        ...(sent && { _eventStreamMessages: sent.map(({ at, frame }) => toArchiveMessage(at, frame)) }),
      },
    ]
  })
  const creator = { name: 'vendor-cloud', version: about.version }
  return `${JSON.stringify({ log: { version: '1.2', creator, entries } }, undefined, 1)}\n`
}

type FrameStep = Extract<CaseStep, { frame: CaseFrame }>

function findFrames(steps: readonly CaseStep[]): Map<number, FrameStep[]> {
  const open = new Map<string, number>()
  const frames = new Map<number, FrameStep[]>()
  for (const step of steps) {
    const [, subscriptionId] = ('call' in step && /^\/filters\/([^/?]+)/.exec(step.call.path)) || []
    if (subscriptionId !== undefined && 'reply' in step && step.reply.status === 200)
      open.set(subscriptionId, step.step)
    if (!('frame' in step)) continue
    const opener = open.get(step.frame.subscriptionId)
    if (opener === undefined) continue
    const sent = frames.get(opener) ?? []
    sent.push(step)
    frames.set(opener, sent)
  }
  return frames
}
