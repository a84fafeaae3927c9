import { createHash, randomBytes } from 'node:crypto'
import { parseCase } from '#contract/files/case.ts'
import { ANY_WORD, Bindings } from '#contract/files/placeholders.ts'
import { type Difference, diffTexts } from '../structural-diff.ts'
import { maskIds, IdMapping } from '../id-mapping.ts'
import type { HttpRequest, HttpResponse } from '#contract/exchange.ts'
import { toOtherServer } from '#tools/client/errors.ts'
import { fillCall, isEventStream, lacksBody, withoutPassing } from './request.ts'
import { toSoapSuffix } from '../view/step-view.ts'
import { createRequester } from './undici-request.ts'

export interface AgainstOptions {
  url: URL
  /** If false, only requests with GET, HEAD and OPTIONS are sent. */
  allowWrites: boolean
  secrets: ReadonlyMap<number, string>
}

/** Differences of the same kind, at the same path, in responses of the same operation count as one difference. */
export interface DifferenceGroup extends Difference {
  operation: string
  count: number
  step: number
}

export interface AgainstReport {
  same: boolean
  asked: number
  left: { writes: number; control: number; streams: number; secrets: number }
  groups: DifferenceGroup[]
}

export async function replayAgainst(text: string, options: AgainstOptions): Promise<AgainstReport> {
  const { url, allowWrites, secrets } = options
  const { header, steps } = parseCase(text)
  const sha256 = (secret: string) => createHash('sha256').update(secret).digest('hex')
  // The format of a secret from an archive is unknown. A random value is used, so that different secrets stay distinct.
  const invent = (shape: string) => (shape === ANY_WORD ? randomBytes(16).toString('hex') : shape)
  const bindings = new Bindings(header.tokens, { sha256, invent })
  for (const [n, value] of secrets) bindings.set(n, value)
  const idMapping = new IdMapping()
  const left = { writes: 0, control: 0, streams: 0, secrets: 0 }
  const groups = new Map<string, DifferenceGroup>()
  const requester = createRequester(url.origin)
  const prefix = url.pathname.replace(/\/$/, '')
  let asked = 0
  try {
    for (const step of steps) {
      if ('control' in step) left.control++
      if (!('call' in step)) continue
      const { call, reply } = step
      if (isEventStream(reply.headers)) left.streams++
      else if (!allowWrites && !['GET', 'HEAD', 'OPTIONS'].includes(call.method)) left.writes++
      else if (lacksBody(call) || bindings.lacks(JSON.stringify(call))) left.secrets++
      else {
        asked++
        const own = fillCall(withoutPassing(call), (given) => idMapping.translate(bindings.fill(given)))
        const { stream, ...actual } = await requester.request({ ...own, prefix })
        stream?.close()
        if (actual.late || actual.large)
          throw toOtherServer(url.origin, `the response of step ${step.step} was not complete in time`)
        // Each server writes its own address into responses.
        const there = header.publicUrl ?? `http://${String(call.headers['host'])}`
        const links = there.replace(/^https?:/, '') + (call.prefix ?? '')
        const body = reply.body?.replaceAll(links, `//${url.host}${prefix}`)
        for (const difference of compare({ ...reply, body }, actual, bindings, idMapping)) {
          addTo(groups, nameOf(call), step.step, difference)
        }
      }
    }
  } finally {
    await requester.close()
  }
  return { same: groups.size === 0, asked, left, groups: [...groups.values()] }
}

function compare(recorded: HttpResponse, actual: HttpResponse, bindings: Bindings, idMapping: IdMapping): Difference[] {
  if (recorded.status !== actual.status) {
    return [{ path: 'reply.status', kind: 'status', recorded: recorded.status, actual: actual.status }]
  }
  if (recorded.body === undefined) return []
  const { body = '' } = actual
  const expected = bindings.learn(recorded.body, body)
  const rules = { equal: idMapping.equal, mapIds: idMapping.mapIds, fieldOrder: false }
  const isRejection = (actual.status ?? 0) >= 400
  return diffTexts('reply.body', expected, body, rules).map((difference) =>
    // Reports a different code or message as a different error, because these two identify the error.
    isRejection && difference.kind === 'value' ? { ...difference, kind: 'error' } : difference,
  )
}

function addTo(groups: Map<string, DifferenceGroup>, operation: string, step: number, difference: Difference): void {
  const path = difference.path.replace(/\[\d+\]/g, '[]')
  const key = `${operation} ${difference.kind} ${path}`
  const known = groups.get(key)
  if (known) known.count++
  else groups.set(key, { operation, ...difference, path, count: 1, step })
}

function nameOf(call: HttpRequest): string {
  const [address = ''] = call.path.split('?', 1)
  return `${call.method} ${maskIds(address)}${toSoapSuffix(call)}`
}
