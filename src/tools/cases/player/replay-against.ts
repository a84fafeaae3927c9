import { createHash } from 'node:crypto'
import { Client, type Dispatcher } from 'undici'
import { parseCase } from '../../../contract/cases/case-file.ts'
import { passingCallHeaders, serverHeaders } from '../../../contract/cases/passing-headers.ts'
import { Bindings } from '../../../contract/cases/placeholders.ts'
import { type Difference, diffTexts } from '../structural-diff.ts'
import { maskIds, Unifier } from '../unifier.ts'
import type { CaseCall, CaseReply } from '../../../contract/records/control/case.ts'
import { bounds } from '../../control-client/answers.ts'
import { toStranger, toUnreachable } from '../../control-client/errors.ts'
import { ask, isEventStream, toRequest } from './case-calls.ts'

export interface AgainstOptions {
  url: URL
  /** Else only calls that change nothing are made. */
  allowWrites: boolean
  secrets: ReadonlyMap<number, string>
}

/** Differences of the same kind, at the same place of the same operation's replies. */
export interface DifferenceGroup extends Difference {
  operation: string
  count: number
  step: number
}

export interface AgainstReport {
  same: boolean
  asked: number
  /** Steps that were not made, by why. */
  left: { writes: number; control: number; streams: number; secrets: number }
  groups: DifferenceGroup[]
}

/** Milliseconds of a whole answer: one that comes byte by byte has no end. */
const LONGEST = 120_000

/** Makes the calls of a case to another server; ids and instants of the two count as the same as they first appear. */
export async function replayAgainst(text: string, options: AgainstOptions): Promise<AgainstReport> {
  const { url, allowWrites, secrets } = options
  const { header, steps } = parseCase(text)
  const sha256 = (secret: string) => createHash('sha256').update(secret).digest('hex')
  const bindings = new Bindings(header.tokens, { sha256, invent: (shape) => shape })
  for (const [n, value] of secrets) bindings.set(n, value)
  const unifier = new Unifier()
  const left = { writes: 0, control: 0, streams: 0, secrets: 0 }
  const groups = new Map<string, DifferenceGroup>()
  const client = new Client(url.origin, {
    headersTimeout: bounds.patience,
    bodyTimeout: bounds.patience,
    maxResponseSize: bounds.bytes,
  })
  let asked = 0
  try {
    for (const step of steps) {
      if ('control' in step) left.control++
      if (!('call' in step)) continue
      const { call, reply } = step
      if (isEventStream(reply.headers)) left.streams++
      else if (!allowWrites && !['GET', 'HEAD', 'OPTIONS'].includes(call.method)) left.writes++
      else if (bindings.lacks(JSON.stringify(call))) left.secrets++
      else {
        asked++
        const fill = (given: string) => unifier.translate(bindings.fill(given))
        const request = { ...toOther(call, url, fill), signal: AbortSignal.timeout(LONGEST) }
        const actual = await ask(client, request).catch((error: unknown) => {
          // Of a call that no client can send the case is to blame.
          if (/^UND_ERR_(INVALID_ARG|NOT_SUPPORTED)$/.test((error as { code?: string }).code ?? '')) throw error
          throw toUnreachable(url.origin, error)
        })
        if (actual.late) throw toStranger(url.origin, `it did not answer step ${step.step} in time, or without end`)
        // Addresses within replies are those of either server.
        const there = `//${String(call.headers['host'])}${call.prefix ?? ''}`
        const body = reply.body?.replaceAll(there, `//${url.host}${url.pathname.replace(/\/$/, '')}`)
        for (const difference of compare({ ...reply, body }, actual, bindings, unifier)) {
          addTo(groups, nameOf(call), step.step, difference)
        }
      }
    }
  } finally {
    await client.destroy()
  }
  return { same: groups.size === 0, asked, left, groups: [...groups.values()] }
}

function toOther(call: CaseCall, { pathname }: URL, fill: (text: string) => string): Dispatcher.RequestOptions {
  const headers = Object.entries(call.headers).filter(
    ([name]) => !serverHeaders.has(name) && !passingCallHeaders.has(name),
  )
  const request = toRequest(call, Object.fromEntries(headers), fill)
  return { ...request, path: pathname.replace(/\/$/, '') + request.path }
}

function compare(recorded: CaseReply, actual: CaseReply, bindings: Bindings, unifier: Unifier): Difference[] {
  if (recorded.status !== actual.status) {
    return [{ path: 'reply.status', kind: 'status', recorded: recorded.status, actual: actual.status }]
  }
  const { body = '' } = actual
  const expected = bindings.learn(recorded.body ?? '', body)
  const rules = { equal: unifier.equal, liken: unifier.liken, fieldOrder: false }
  const isRefusal = (actual.status ?? 0) >= 400
  return diffTexts('reply.body', expected, body, rules).map((difference) =>
    // Words and codes of a refusal are which error it is.
    isRefusal && difference.kind === 'value' ? { ...difference, kind: 'error' } : difference,
  )
}

function addTo(groups: Map<string, DifferenceGroup>, operation: string, step: number, difference: Difference): void {
  const path = difference.path.replace(/\[\d+\]/g, '[]')
  const key = `${operation} ${difference.kind} ${path}`
  const known = groups.get(key)
  if (known) known.count++
  else groups.set(key, { operation, ...difference, path, count: 1, step })
}

/** The operation as its address tells it, or a SOAP call's element. */
function nameOf({ method, path, body }: CaseCall): string {
  const [, soap] =
    (typeof body === 'string' && /<(?:[\w.-]+:)?(createServiceToken|getSubscriptionStatus)\b/.exec(body)) || []
  const [address = ''] = path.split('?', 1)
  return `${method} ${maskIds(address)}${soap === undefined ? '' : ` ${soap}`}`
}
