import { TrafficSecrets } from '../../../contract/cases/traffic-secrets.ts'
import { REDACTED } from '../../../contract/records/secret-names.ts'
import type { JournalEntry, JournalQuery } from '../../../contract/records/control/journal.ts'
import { findIssued } from '../../domain/control/issued-secrets.ts'
import { fitsQuery } from '../../domain/control/journal.ts'
import type { Shows } from '../../domain/control/shown-entries.ts'
import { CUT } from '../../trace/redaction.ts'
import { toArchived, toStep } from './archived-call.ts'

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
  const shapes = new Map<number, string[]>()
  for (const id of ids) {
    await turns.give()
    const record = journal.find(id)
    if (!record) continue
    const step = toStep(id, record)
    shapes.set(id, secrets.learn(step, await findIssued(ports, [step])))
  }

  const creator = { name: 'vendor-cloud', version }
  yield `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[`
  let separator = ''
  const tokens: string[] = []
  for (const id of ids) {
    await turns.give()
    const record = journal.find(id)
    // An exchange that was forgotten meanwhile has still told its placeholders.
    tokens.push(...(shapes.get(id) ?? []))
    if (!record) continue
    const entry = record.read(id, 'head')
    const sent = (frames.get(id) ?? []).toReversed()
    // Ids begin again when the journal is emptied.
    const place = record.place === undefined || record.place > id ? id : record.place
    const end = record.operation === 'stream' ? findEnd(subscriptionOf(entry), id) : undefined
    const told = { step: toStep(id, record), tokens: tokens.splice(0), place, end }
    yield separator +
      JSON.stringify(toArchived(entry, told, { secrets, base })).slice(0, sent.length > 0 ? -1 : undefined)
    if (sent.length > 0) yield* writeFrames(sent)
    separator = ','
  }
  yield ']}}'

  function findEnd(subscription: string | undefined, id: number) {
    return journal.places.ends.find(({ subscriptionId, place }) => subscriptionId === subscription && place > id)
  }

  /** A stream may have thousands of frames, so they are the last field and written piece by piece. */
  async function* writeFrames(ids: readonly number[]): AsyncGenerator<string> {
    let before = ',"_eventStreamMessages":['
    for (const id of ids) {
      await turns.give()
      const frame = journal.find(id)?.read(id)
      if (!frame) continue
      yield before + JSON.stringify(secrets.hideValue(toMessage(frame)))
      before = ','
    }
    yield before === ',' ? ']}' : '}'
  }
}

function subscriptionOf({ frame, path, status }: JournalEntry): string | undefined {
  if (frame) return frame.subscriptionId
  return status === 200 ? path?.split('/')[2] : undefined
}

function toMessage({ at, frame, id }: JournalEntry) {
  const [eventName, eventId, data] = [frame?.event, frame?.id, toText(frame?.data)]
  return { time: Date.parse(at) / 1000, eventName, eventId, data, _id: id }
}

function toText(body: unknown): string {
  if (body === undefined) return ''
  return typeof body === 'string' ? body : JSON.stringify(body)
}
