import { STATUS_CODES } from 'node:http'
import type { CallStep } from '#contract/files/case.ts'
import { toArchiveEntry, toArchiveMessage } from '#contract/files/http-archive.ts'
import { findJson } from '#contract/records/decoded-text.ts'
import { type JournalEntry, type JournalQuery, STREAM_END } from '#contract/records/control/journal.ts'
import { fitsQuery } from './query.ts'
import type { Ports } from '../ports.ts'
import type { JournalRecord } from '../ports/journal.ts'
import { yielding } from '../ports/yielding.ts'
import type { SentFile } from '../http/input/file-form.ts'
import { addIssued, collectWords, createRedactor, type RedactionPorts } from './redaction.ts'

/**
 * HAR 1.2, oldest entry first, in chunks to keep the server responsive. A selected frame includes the request and all
 * frames of its stream. Secrets that are not in the fixtures become `{{token:n}}`.
 */
export async function* writeArchive(
  ports: RedactionPorts & Pick<Ports, 'blobs'>,
  query: JournalQuery,
  { base, version, signal }: { base: string; version: string; signal?: AbortSignal },
): AsyncGenerator<string> {
  const { journal, blobs } = ports
  const { before = Number.POSITIVE_INFINITY, offset = 0, limit = Number.POSITIVE_INFINITY } = query
  const chosen = new Set<number>()
  const frames = new Map<number, number[]>()
  /** Frames of each subscription, collected until the request that opened their stream is read. */
  const open = new Map<string, { ids: number[]; wanted: boolean }>()
  let passed = 0
  for await (const { id, record } of yielding(journal.scan(), signal)) {
    const wanted = fitsQuery(record, id, query) && id < before && passed++ >= offset && passed <= offset + limit
    const subscriptionId = record.operation === 'stream' ? subscriptionOf(record.read(id, 'head')) : undefined
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

  const ids = [...chosen].sort((a, b) => a - b)
  const redactor = createRedactor(ports)
  // All entries are read first, because a secret may appear before the entry that identifies it.
  const words = new Set<string>()
  for await (const id of yielding(ids, signal)) {
    const record = journal.find(id)
    if (!record) continue
    const step = toStep(id, record)
    redactor.learn(step)
    collectWords(step, words)
    // Limits the set, because the words of a full journal would need hundreds of megabytes.
    if (words.size > 50_000) await addIssued(ports, words, redactor)
  }
  await addIssued(ports, words, redactor)

  const creator = { name: 'vendor-cloud', version }
  yield `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[`
  let separator = ''
  for await (const id of yielding(ids, signal)) {
    const record = journal.find(id)
    if (!record) continue
    const sent = (frames.get(id) ?? []).toReversed()
    const entry = await toArchived(record.read(id, 'head'), toStep(id, record))
    yield separator + JSON.stringify(entry).slice(0, sent.length > 0 ? -1 : undefined)
    if (sent.length > 0) yield* writeFrames(sent)
    separator = ','
  }
  yield ']}}'

  async function toArchived(entry: JournalEntry, given: CallStep) {
    const { operation, caller, why, traceId, durationMs } = entry
    const { call, reply } = redactor.hide(given) as CallStep
    const { request, response, ...archived } = toArchiveEntry({ at: given.at, call, reply, durationMs }, base)
    return {
      ...archived,
      request: { ...request, ...(await readUpload(given)) },
      response: { ...response, statusText: STATUS_CODES[response.status] ?? '' },
      _operation: operation,
      _caller: caller === undefined ? undefined : redactor.hideText(caller),
      _why: redactor.hideValue(why),
      _traceId: traceId === undefined ? undefined : redactor.hideText(traceId),
    }
  }

  /** The bytes of an accepted file are stored in the world. The response contains their digest. */
  async function readUpload({ call: { headers, body }, reply }: CallStep) {
    const mimeType = String(headers['content-type'] ?? '')
    if (!/^multipart\/form-data/i.test(mimeType)) return undefined
    const { sha256 } = Object(findJson(String(reply.body))) as { sha256?: unknown }
    const bytes = typeof sha256 === 'string' ? await blobs.get(sha256) : undefined
    const content = bytes && { value: Buffer.from(bytes).toString('base64'), encoding: 'base64' }
    const params = Object.entries(Object(findJson(String(body)))).map(([name, sent]) => {
      const { fileName, contentType } = Object(sent) as Partial<SentFile>
      return { name, fileName, contentType, ...content }
    })
    return params.length > 0 && { postData: { mimeType, params } }
  }

  /** The frames are the last field and are written one at a time, because a stream may have thousands of them. */
  async function* writeFrames(ids: readonly number[]): AsyncGenerator<string> {
    let before = ',"_eventStreamMessages":['
    for await (const id of yielding(ids, signal)) {
      const frame = journal.find(id)?.read(id)
      if (!frame?.frame) continue
      yield before + JSON.stringify(redactor.hideValue(toArchiveMessage(frame.at, frame.frame)))
      before = ','
    }
    yield before === ',' ? ']}' : '}'
  }
}

function subscriptionOf({ frame, path, status }: JournalEntry): string | undefined {
  if (frame) return frame.event === STREAM_END ? undefined : frame.subscriptionId
  return status === 200 ? path?.split('/')[2] : undefined
}

function toStep(id: number, record: JournalRecord): CallStep {
  return { step: id, at: new Date(record.at).toISOString(), ...record.exchange!() }
}
