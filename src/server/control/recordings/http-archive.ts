import { STATUS_CODES } from 'node:http'
import type { JournalEntry, JournalQuery } from '../../../contract/records/control/journal.ts'
import { fitsQuery } from '../../domain/control/journal.ts'
import { readParameters } from '../../domain/control/request-match.ts'
import type { Ports } from '../../ports.ts'

/**
 * The entries that fit, as an HTTP Archive (HAR 1.2), oldest first, piece by piece: all in one would hold up the
 * server. A frame comes with the request that opened its stream, and that request with all of its frames.
 */
export async function* writeArchive(
  { journal, turns }: Pick<Ports, 'journal' | 'turns'>,
  query: JournalQuery,
  { base, version }: { base: string; version: string },
): AsyncGenerator<string> {
  const { before = Number.POSITIVE_INFINITY, offset = 0, limit = Number.POSITIVE_INFINITY } = query
  const chosen = new Set<number>()
  const frames = new Map<number, number[]>()
  /** Frames, newest first, whose request has not been met, by subscription. */
  const open = new Map<string, { ids: number[]; wanted: boolean }>()
  let passed = 0
  for await (const { id, record } of journal.scan()) {
    const wanted = fitsQuery(record, id, query) && id < before && passed++ >= offset && passed <= offset + limit
    const subscriptionId = record.operation === 'stream' ? subscriptionOf(record.read(id, 'request')) : undefined
    if (record.kind === 'request') {
      const stream = subscriptionId === undefined ? undefined : open.get(subscriptionId)
      if (wanted || stream?.wanted) chosen.add(id)
      if (stream) frames.set(id, stream.ids)
      if (subscriptionId !== undefined) open.delete(subscriptionId)
    } else if (subscriptionId !== undefined) {
      const stream = open.get(subscriptionId) ?? { ids: [], wanted: false }
      stream.ids.push(id)
      stream.wanted ||= wanted
      open.set(subscriptionId, stream)
    }
  }

  const creator = { name: 'vendor-cloud', version }
  yield `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[`
  let separator = ''
  for (const id of [...chosen].sort((a, b) => a - b)) {
    await turns.give()
    const entry = journal.find(id)?.read(id)
    if (!entry) continue
    const sent = (frames.get(id) ?? []).toReversed()
    yield separator + JSON.stringify(toArchived(entry, base)).slice(0, sent.length > 0 ? -1 : undefined)
    if (sent.length > 0) yield* writeFrames(sent)
    separator = ','
  }
  yield ']}}'

  /** The last field of an entry, and its end: a stream may have thousands of them. */
  async function* writeFrames(ids: readonly number[]): AsyncGenerator<string> {
    let before = ',"_eventStreamMessages":['
    for (const id of ids) {
      await turns.give()
      const frame = journal.find(id)?.read(id)
      if (!frame) continue
      yield before + JSON.stringify(toMessage(frame))
      before = ','
    }
    yield before === ',' ? ']}' : '}'
  }
}

function subscriptionOf({ frame, path, status }: JournalEntry): string | undefined {
  if (frame) return frame.subscriptionId
  return status === 200 ? path?.split('/')[2] : undefined
}

function toArchived(entry: JournalEntry, base: string) {
  const { at, method, path, query, request, response, status = 0, durationMs = 0 } = entry
  const type = response?.headers['content-type'] ?? ''
  const text = toText(response?.body)
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 }
  return {
    startedDateTime: at,
    time: durationMs,
    request: {
      ...common,
      method,
      url: `${base}${path}${query === undefined ? '' : `?${query}`}`,
      headers: toPairs(Object.entries(request?.headers ?? {})),
      queryString: toPairs(readParameters(query ?? '')),
      ...(request?.body !== undefined && {
        postData: { mimeType: request.headers['content-type'] ?? '', text: toText(request.body) },
      }),
    },
    response: {
      ...common,
      status,
      statusText: STATUS_CODES[status] ?? '',
      headers: toPairs(Object.entries(response?.headers ?? {})),
      content: { size: Buffer.byteLength(text), mimeType: type, ...(text !== '' && { text }) },
      redirectURL: '',
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _id: entry.id,
    _operation: entry.operation,
    _caller: entry.caller,
    _why: entry.why,
    _traceId: entry.traceId,
  }
}

function toMessage({ at, frame, id }: JournalEntry) {
  const [eventName, eventId, data] = [frame?.event, frame?.id, toText(frame?.data)]
  return { time: Date.parse(at) / 1000, eventName, eventId, data, _id: id }
}

function toPairs(fields: readonly (readonly [string, string])[]): { name: string; value: string }[] {
  return fields.map(([name, value]) => ({ name, value }))
}

function toText(body: unknown): string {
  if (body === undefined) return ''
  return typeof body === 'string' ? body : JSON.stringify(body)
}
