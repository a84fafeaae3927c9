import type { CaseBody, CaseCall, CaseFrame, CaseReply, CaseStep } from '../../../contract/records/control/case.ts'
import type { CaseView } from './case-view.ts'
import { callOf } from './step-view.ts'
import { readRefusal } from './refusal.ts'

/** HAR 1.2 keeps frames with the call that opened their stream. */
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
        startedDateTime: step.at,
        time: 0,
        request: toRequest(call, base),
        response: toResponse(step.reply),
        cache: {},
        timings: { send: 0, wait: 0, receive: 0 },
        _id: step.step,
        ...(why && { _why: why }),
        ...(sent && { _eventStreamMessages: sent.map(toMessage) }),
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

const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 }

function toRequest({ method, prefix = '', path, headers, body }: CaseCall, base: string) {
  const [, query = ''] = /\?(.*)$/s.exec(path) ?? []
  const parameters = [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }))
  return {
    ...common,
    method,
    url: base + prefix + path,
    headers: toPairs(headers),
    queryString: parameters,
    ...(body !== undefined && { postData: { mimeType: String(headers['content-type'] ?? ''), ...toPostData(body) } }),
  }
}

function toPostData(body: CaseBody): { text: string; encoding?: string } {
  if (typeof body === 'string') return { text: body }
  return 'base64' in body ? { text: body.base64, encoding: 'base64' } : { text: body.text }
}

function toResponse({ status = 0, headers = {}, body }: CaseReply) {
  const mimeType = String(headers['content-type'] ?? '')
  const size = new TextEncoder().encode(body ?? '').length
  const content = { size, mimeType, ...(body !== undefined && body !== '' && { text: body }) }
  return { ...common, status, statusText: '', headers: toPairs(headers), content, redirectURL: '' }
}

function toMessage({ at, frame }: FrameStep) {
  const data = typeof frame.data === 'string' ? frame.data : JSON.stringify(frame.data)
  return { time: Date.parse(at) / 1000, eventName: frame.event, eventId: frame.id, data }
}

function toPairs(headers: CaseCall['headers']): { name: string; value: string }[] {
  return Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })))
}
