import { toArchiveEntry, toArchiveMessage } from '../../../contract/cases/http-archive.ts'
import { TrafficSecrets } from '../../../contract/cases/traffic-secrets.ts'
import { findJson } from '../../../contract/records/decoded-text.ts'
import { REDACTED } from '../../../contract/records/secret-names.ts'
import type { CaseCall, CaseStep } from '../../../contract/records/control/case.ts'
import type { JournalEntry, JournalQuery } from '../../../contract/records/control/journal.ts'
import { findIssued } from '../../domain/control/issued-secrets.ts'
import { fitsQuery } from '../../domain/control/journal.ts'
import type { Shows } from '../../domain/control/shown-entries.ts'
import type { JournalRecord } from '../../ports/journal.ts'
import { CUT } from '../../trace/redaction.ts'

/**
 * Writes HAR 1.2 oldest first and piece by piece, since all at once would hold up the server. A frame comes with the
 * request that opened its stream, and that request with all of its frames. Secrets that the fixtures do not publish
 * stand as `{{token:n}}`, so that a case can be made of the archive.
 */
export async function* writeArchive(
  ports: Shows,
  query: JournalQuery,
  { base, version }: { base: string; version: string },
): AsyncGenerator<string> {
  const { journal, turns, digests, published } = ports
  const { before = Number.POSITIVE_INFINITY, offset = 0, limit = Number.POSITIVE_INFINITY } = query
  const chosen = new Set<number>()
  const frames = new Map<number, number[]>()
  /** Entries are read newest first, so frames wait here, by subscription, for the request that opened their stream. */
  const open = new Map<string, { ids: number[]; wanted: boolean }>()
  let passed = 0
  for await (const { id, record } of journal.scan({ turns })) {
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
  const secrets = new TrafficSecrets({
    sha256: (text) => digests.sha256(text),
    isPublished: (text) => text === REDACTED || text === CUT || published.has(digests.sha256(text)),
  })
  // A secret may stand in an entry before the one that names it, so all entries are read first.
  for (const id of ids) {
    await turns.give()
    const record = journal.find(id)
    if (!record) continue
    const step = toStep(id, record)
    secrets.learn(step, await findIssued(ports, [step]))
  }

  const creator = { name: 'vendor-cloud', version }
  yield `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[`
  let separator = ''
  for (const id of ids) {
    await turns.give()
    const record = journal.find(id)
    if (!record) continue
    const sent = (frames.get(id) ?? []).toReversed()
    const entry = toArchived(record.read(id, 'head'), toStep(id, record))
    yield separator + JSON.stringify(entry).slice(0, sent.length > 0 ? -1 : undefined)
    if (sent.length > 0) yield* writeFrames(sent)
    separator = ','
  }
  yield ']}}'

  function toArchived(entry: JournalEntry, given: CalledStep) {
    const { operation, caller, why, traceId, durationMs } = entry
    const step = secrets.hide(given) as CalledStep
    const { request, ...archived } = toArchiveEntry({ ...step, durationMs }, base)
    return {
      ...archived,
      request: { ...request, ...toUpload(step.call) },
      _operation: operation,
      _caller: caller === undefined ? undefined : secrets.hideText(caller),
      _why: secrets.hideValue(why),
      _traceId: secrets.hideValue(traceId),
    }
  }

  /** A stream may have thousands of frames, so they are the last field and written piece by piece. */
  async function* writeFrames(ids: readonly number[]): AsyncGenerator<string> {
    let before = ',"_eventStreamMessages":['
    for (const id of ids) {
      await turns.give()
      const frame = journal.find(id)?.read(id)
      if (!frame?.frame) continue
      yield before + JSON.stringify(secrets.hideValue(toArchiveMessage(frame.at, frame.frame)))
      before = ','
    }
    yield before === ',' ? ']}' : '}'
  }
}

function subscriptionOf({ frame, path, status }: JournalEntry): string | undefined {
  if (frame) return frame.subscriptionId
  return status === 200 ? path?.split('/')[2] : undefined
}

/** The journal has the names of files and not their bytes. */
function toUpload({ headers, body }: CaseCall) {
  const mimeType = String(headers['content-type'] ?? '')
  const files = /^multipart\/form-data/i.test(mimeType) ? Object.entries(Object(findJson(String(body)))) : []
  const params = files.map(([name, file]) => ({ name, fileName: String(Object(file).fileName) }))
  return params.length > 0 ? { postData: { mimeType, params } } : {}
}

type CalledStep = Extract<CaseStep, { call: CaseCall }>

/** Secrets are included. A call that was not kept whole stands as the journal shows it. */
function toStep(id: number, record: JournalRecord): CalledStep {
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
