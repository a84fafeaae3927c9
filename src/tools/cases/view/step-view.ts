import type { HttpRequest } from '#contract/exchange.ts'
import type { CaseStep } from '#contract/files/case.ts'
import { findJson } from '#contract/records/decoded-text.ts'
import type { Reason } from './case-view.ts'

export type Kind = 'call' | 'clock' | 'control' | 'frame' | 'mail' | 'closed'

export function kindOf(step: CaseStep): Kind {
  if ('control' in step) {
    // A rejected request did not move the clock.
    return step.control.path.startsWith('/_control/clock') && step.reply.status === 200 ? 'clock' : 'control'
  }
  return (['call', 'frame', 'mail', 'closed'] as const).find((kind) => kind in step) ?? 'closed'
}

export function lanesOf(step: CaseStep): readonly [Lane, Lane] {
  return ways[kindOf(step)]
}

export const lanes = ['client', 'vendor', 'stream', 'mail'] as const
export type Lane = (typeof lanes)[number]

const ways: Readonly<Record<Kind, readonly [Lane, Lane]>> = {
  call: ['client', 'vendor'],
  control: ['vendor', 'vendor'],
  clock: ['vendor', 'vendor'],
  frame: ['vendor', 'stream'],
  closed: ['vendor', 'stream'],
  mail: ['vendor', 'mail'],
}

export function callOf(step: CaseStep): HttpRequest | undefined {
  if ('call' in step) return step.call
  return 'control' in step ? step.control : undefined
}

export function nameOf(step: CaseStep): string {
  if ('call' in step) return `${step.call.method} ${step.call.path}${toSoapSuffix(step.call)}`
  if ('control' in step) {
    const { body, path, method } = step.control
    return kindOf(step) === 'clock' ? toMove(body) : `${method} ${path.replace('/_control/', '')}`
  }
  if ('frame' in step) {
    const { data, event } = step.frame
    return typeof data === 'string' ? `${event} ${data}` : `${event} ${describe(data)}`.trim()
  }
  if ('mail' in step) return `mail: ${toText(step.mail['subject'])}`
  const { reason } = step.closed
  return reason === undefined ? 'stream ended' : `stream ended: ${reason}`
}

/** Both SOAP operations have the same address. */
export function toSoapSuffix({ body }: HttpRequest): string {
  const text = typeof body === 'string' ? body : ''
  const [, operation] = /<(?:[\w.-]+:)?(createServiceToken|getSubscriptionStatus)\b/.exec(text) ?? []
  return operation === undefined ? '' : ` ${operation}`
}

function toMove(body: unknown): string {
  const { duration, now, frozen } = Object(findJson(String(body))) as Readonly<Record<string, unknown>>
  if (duration !== undefined) return `forward by ${toText(duration)}${typeof duration === 'number' ? ' ms' : ''}`
  const moved = [
    now === undefined ? '' : `to ${toText(now)}`,
    frozen === undefined ? '' : frozen ? 'paused' : 'running',
  ]
  return moved.filter((each) => each !== '').join(', ') || 'back to real time'
}

function describe(data: unknown): string {
  const parts = Object.values(Object(data) as Readonly<Record<string, unknown>>)
  const event = parts.find((each) => typeof each === 'object' && each !== null)
  const { attribute, value, status, lifecycle } = Object(event) as Readonly<Record<string, unknown>>
  if (attribute === undefined) return toText(status ?? lifecycle ?? '')
  return `${toText(attribute)}: ${JSON.stringify(value) ?? ''}`
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Only the APIs of documents 1 and 2a return the reason for an error. */
export function readRefusal(step: CaseStep): Reason | undefined {
  if (!('reply' in step) || (step.reply.status ?? 0) < 400) return undefined
  const { error } = Object(findJson(step.reply.body)) as { error?: WireError }
  if (typeof error?.message !== 'string') return undefined
  const details = Array.isArray(error.details) ? error.details : []
  const findings = details
    .map((each) => Object(each) as WireError)
    .map(({ code, message, target, source }) => ({
      code: String(code ?? ''),
      message: String(message ?? ''),
      target: String(target ?? ''),
      ...(source !== undefined && { source: String(source) }),
    }))
  const cited = step.reply.headers?.['x-vendor-cloud-rule']
  const source = cited === undefined ? {} : { source: String(cited) }
  return { code: String(error.code ?? ''), message: error.message, ...source, findings }
}

export function sourceOf({ source, findings }: Reason): string | undefined {
  return source ?? findings.find((finding) => finding.source !== undefined)?.source
}

interface WireError {
  code?: unknown
  message?: unknown
  target?: unknown
  source?: unknown
  details?: unknown
}
