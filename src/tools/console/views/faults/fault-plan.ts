import type { FaultDelay, FaultDraft } from '#contract/records/control/fault.ts'
import type { FaultResponse } from '#contract/records/control/fault-response.ts'

interface Answer {
  label: string
  value?: string
  start?: string
  offered?: readonly string[]
  hasRetry?: true
}

/** Responses of a fault. Each label completes the sentence "respond with …". */
export const answers: Readonly<Record<string, Answer>> = {
  status: { label: 'another status', value: 'Status', hasRetry: true },
  given: { label: 'a custom response', start: '502' },
  fault: {
    label: 'a SOAP fault',
    value: 'Fault',
    start: '301',
    offered: ['301', '300', '10', '15', '-1'],
    hasRetry: true,
  },
  resultCode: {
    label: 'a wallet result code',
    value: 'Result code',
    start: 'CMN4N8003',
    offered: ['CMN4N8003', 'CMN5N9001', 'CMN1N1001', 'CMN1N1002', 'CMN1N1003', 'CMN2N2007'],
    hasRetry: true,
  },
  reset: { label: 'a connection reset' },
  timeout: { label: 'no response' },
  cut: { label: 'a truncated response', value: 'After bytes', start: '100' },
  throttle: { label: 'a slow response', value: 'Bytes per second', start: '100' },
  garbage: { label: 'garbage' },
  none: { label: 'its usual response, delayed' },
}

export const statuses = ['503', '500', '502', '504', '429', '401', '403', '404', '409', '400'] as const

export const delays = [
  ['', 'None', '', ''],
  ['fixed', 'Fixed', 'Delay, ms', ''],
  ['range', 'Range', 'From, ms', 'To, ms'],
  ['percentiles', 'Median and 99th percentile', 'Median, ms', '99th, ms'],
] as const

export const start = {
  /** The name or number of an operation, or `path`. */
  operation: '30',
  path: '/stg/us/*',
  answer: 'status',
  value: '503',
  code: '',
  retryAfter: '',
  headers: 'content-type: text/html; charset=utf-8',
  body: '<h1>502 Bad Gateway</h1>',
  from: '',
  until: '',
  when: 'before',
  delay: '',
  least: '100',
  most: '1000',
  times: '1',
  probability: '',
  name: '',
}
export type FaultPlan = typeof start

export function toDraft(plan: FaultPlan): FaultDraft {
  const { operation, path, when, times, probability, name, from, until } = plan
  const respond = toResponse(plan)
  const delayMs = toDelay(plan)
  return {
    match: operation === 'path' ? { path } : { operation: toNumber(operation) },
    ...(respond && { respond }),
    ...(when === 'after' && { when }),
    ...(delayMs !== undefined && { delayMs }),
    ...(times && { times: Number(times) }),
    ...(probability && { probability: Number(probability) }),
    ...(from && { from }),
    ...(until && { until }),
    ...(name && { name }),
  }
}

function toResponse(plan: FaultPlan): FaultResponse | undefined {
  const { answer, value, code, retryAfter } = plan
  if (answer === 'none') return undefined
  if (answer === 'given') return toFixedResponse(plan)
  return {
    [answer]: answers[answer]?.value === undefined ? true : toNumber(value),
    ...(answer === 'status' && code && { code }),
    ...(answers[answer]?.hasRetry && retryAfter && { retryAfter: Number(retryAfter) }),
  } as FaultResponse
}

function toDelay({ delay, least, most }: FaultPlan): FaultDelay | undefined {
  if (delay === 'fixed') return Number(least)
  if (delay === 'range') return { min: Number(least), max: Number(most) }
  return delay === 'percentiles' ? { p50: Number(least), p99: Number(most) } : undefined
}

/** Document 1 and SOAP faults use numbers, others use names. The server rejects invalid ones. */
export function toNumber(text: string): number | string {
  return /^-?\d+$/.test(text) ? Number(text) : text
}

export interface FixedResponse {
  status: number
  headers?: Record<string, string | string[]>
  body?: unknown
}

/** Each line of the headers has the form `name: value`. A name that occurs several times gets several values. */
export function toFixedResponse({ value, headers, body }: FaultPlan): FixedResponse {
  const given: Record<string, string | string[]> = {}
  for (const line of headers.split('\n').filter((each) => each.trim() !== '')) {
    const end = line.indexOf(':')
    const name = (end < 0 ? line : line.slice(0, end)).trim().toLowerCase()
    const text = end < 0 ? '' : line.slice(end + 1).trim()
    const before = given[name]
    given[name] = before === undefined ? text : [before, text].flat()
  }
  return {
    status: Number(value),
    ...(Object.keys(given).length > 0 && { headers: given }),
    ...(body !== '' && { body }),
  }
}

export function previewOf({ status, headers = {}, body }: FixedResponse, name: string): string {
  const isOwn = body === undefined && status < 400
  const type = body === undefined ? {} : { 'content-type': 'text/plain; charset=utf-8' }
  const length = body === undefined ? {} : { 'content-length': String(new TextEncoder().encode(String(body)).length) }
  const sent = { ...type, ...headers, ...length, 'x-vendor-cloud-fault': name || 'the ID of the fault' }
  const lines = Object.entries(sent).flatMap(([key, value]) => [value].flat().map((each) => `${key}: ${each}`))
  const rest = isOwn
    ? status === 204
      ? '(the operation is performed, and there is no body)'
      : '(the operation is performed, and its usual headers and body follow)'
    : (body ?? '(the error body of the API)')
  return `HTTP/1.1 ${status}\n${lines.join('\n')}\n\n${String(rest)}`
}
