import { STATUS_CODES } from 'node:http'
import type { TrafficSecrets } from '../../../contract/cases/traffic-secrets.ts'
import type { CaseCall, CaseStep } from '../../../contract/records/control/case.ts'
import type { JournalEntry } from '../../../contract/records/control/journal.ts'
import { readParameters } from '../../domain/control/request-match.ts'
import type { JournalRecord, StreamEnd } from '../../ports/journal.ts'

type CalledStep = Extract<CaseStep, { call: CaseCall }>

/** Secrets are included. A call that was not kept whole stands as the journal shows it. */
export function toStep(id: number, record: JournalRecord): CalledStep {
  let shown: JournalEntry | undefined
  const readShown = () => (shown ??= record.read(id))
  return { step: id, at: new Date(record.at).toISOString(), ...(record.whole?.(readShown) ?? toShownCall(readShown())) }
}

function toShownCall({ method = 'GET', path = '/', query, request, response, status }: JournalEntry) {
  const text = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body))
  const { headers = {}, body } = request ?? {}
  return {
    call: {
      method,
      path: query === undefined ? path : `${path}?${query}`,
      headers,
      ...(body !== undefined && { body: text(body) }),
    },
    reply: {
      ...(status !== undefined && { status }),
      ...(response && { headers: response.headers, body: response.body === undefined ? '' : text(response.body) }),
    },
  }
}

interface ArchivedPlace {
  step: CalledStep
  /** Only shapes that no entry before has shown. */
  tokens: readonly string[]
  /** A call stands behind the entries that were there when it came. */
  place: number
  end: StreamEnd | undefined
}

/** HAR 1.2, with placeholders for secrets. */
export function toArchived(
  entry: JournalEntry,
  { step, tokens, place, end }: ArchivedPlace,
  { secrets, base }: { secrets: TrafficSecrets; base: string },
) {
  const { durationMs = 0 } = entry
  const { call, reply } = secrets.hide(step) as CalledStep
  const { status = 0, headers = {}, body: text = '' } = reply
  const [, query = ''] = /\?(.*)$/s.exec(call.path) ?? []
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 }
  const mimeType = String(headers['content-type'] ?? '')
  // A body that is no text is told by its size alone.
  const size = call.method === 'HEAD' || text !== '' ? Buffer.byteLength(text) : Number(headers['content-length'] ?? 0)
  return {
    startedDateTime: entry.at,
    time: durationMs,
    request: {
      ...common,
      method: call.method,
      url: base + call.path,
      headers: toPairs(call.headers),
      queryString: readParameters(query).map(([name, value]) => ({ name, value })),
      ...(call.body !== undefined && {
        postData: { mimeType: String(call.headers['content-type'] ?? ''), text: String(call.body) },
      }),
    },
    response: {
      ...common,
      status,
      statusText: STATUS_CODES[status] ?? '',
      headers: toPairs(headers),
      content: { size, mimeType, ...(text !== '' && { text }) },
      redirectURL: '',
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _id: entry.id,
    _operation: entry.operation,
    _caller: entry.caller === undefined ? undefined : secrets.hideText(entry.caller),
    _why: secrets.hideValue(entry.why),
    _traceId: secrets.hideValue(entry.traceId),
    _place: place,
    ...(end && { _closed: { time: end.at / 1000, _place: end.place } }),
    ...(reply.cut && { _cut: true }),
    ...(tokens.length > 0 && { _tokens: tokens }),
  }
}

function toPairs(headers: CaseCall['headers']): { name: string; value: string }[] {
  return Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })))
}
