import { readFrameData } from '../../../contract/cases/frame-data.ts'
import { createParser } from 'eventsource-parser'
import type { ArchivedEntry, ArchivedMessage, HttpArchive } from '../../../contract/cases/http-archive.ts'
import { readEntry, readTarget, readTokens, UnusableEntry } from '../../../contract/cases/readable-entry.ts'
import type { CaseFrame, CaseStep } from '../../../contract/records/control/case.ts'
import { CLOCK_RANGE, isClockTime } from '../../../contract/records/control/clock.ts'
import { readContent } from './archived-body.ts'
import { type ToCaseBody, toCall, toReply } from './archived-call.ts'

export interface ArchiveRules {
  toCaseBody: ToCaseBody
  /** Tells whether a call to that host (without its port) and path is the vendor's. */
  takes(host: string, method: string, path: string): boolean
}

export interface ArchivedSteps {
  steps: CaseStep[]
  left: Map<string, number>
  /** Counts entries that make no step, by the reason. */
  unusable: Map<string, number>
  /** An archive of our own holds placeholders already; these are their shapes. */
  tokens: string[]
}

interface Told {
  /** Milliseconds since 1970. */
  at: number
  /** Only archives of our own tell the place. */
  id: number | undefined
  step: CaseStep
}

/** Steps are in order of time; entries of other hosts and unusable ones are counted. */
export function toSteps({ log: { creator, entries } }: HttpArchive, rules: ArchiveRules): ArchivedSteps {
  const isOurs = creator?.name === 'vendor-cloud'
  const told: Told[] = []
  const tokens: string[] = []
  const [left, unusable] = [new Map<string, number>(), new Map<string, number>()]
  const take = (given: unknown) => {
    // Entries of other hosts count too, since later entries show only the shapes that are new.
    tokens.push(...readTokens(given))
    const { method, url } = readTarget(given)
    const { host, path } = readAddress(url)
    const isTaken = rules.takes(host, method, path)
    if (!isTaken) left.set(host, (left.get(host) ?? 0) + 1)
    else told.push(...tell(readEntry(given), path, { ...rules, isOurs }))
  }
  for (const entry of entries) {
    try {
      take(entry)
    } catch (error) {
      if (!(error instanceof UnusableEntry)) throw error
      unusable.set(error.message, (unusable.get(error.message) ?? 0) + 1)
    }
  }
  const hasPlaces = told.every(({ id }) => id !== undefined)
  const sorted = told.toSorted((a, b) => (hasPlaces ? a.id! - b.id! : a.at - b.at || rankOf(a) - rankOf(b)))
  return { steps: sorted.map(({ step }, i) => ({ ...step, step: i + 1 })), left, unusable, tokens }
}

/** A frame may be the result of a call at the same instant, so the call comes first. */
function rankOf({ step }: Told): number {
  return 'frame' in step ? 1 : 'closed' in step ? 2 : 0
}

/** ECMAScript dates reach no further (ECMA-262, section 21.4.1.1). */
const LAST_DATE = 8.64e15

/** Seconds since 1970 cannot hold exact milliseconds. */
const toMilliseconds = (seconds: number) => Math.floor(seconds * 1000 + 0.001)

interface Telling extends Pick<ArchiveRules, 'toCaseBody'> {
  isOurs: boolean
}

function tell(entry: ArchivedEntry, path: string, { toCaseBody, isOurs }: Telling): Told[] {
  const { startedDateTime, request, response, _id: own, _place: id = own, _cut: isCut, _closed: closed } = entry
  const at = Date.parse(startedDateTime)
  const whole = toReply(response, request.method.toUpperCase())
  const reply = isCut ? { ...whole, cut: true } : whole
  const messages = readMessages(entry)
  const { headers, ...call } = toCall(request, path, toCaseBody)
  // The server takes a client's id, so the replayed reply is the same.
  const named = { ...(isOurs && reply.headers?.['x-request-id'] && { 'x-request-id': reply.headers['x-request-id'] }) }
  const step = {
    ...toAbout(at),
    call: { ...call, headers: { ...headers, ...named } },
    reply: messages && reply.status === 200 ? { ...reply, body: '' } : reply,
  }
  const subscriptionId = subscriptionOf(path)
  return [
    { at, id, step },
    ...(closed ? [tellEnd(closed, subscriptionId)] : []),
    ...(messages ?? []).map(({ _id: place, ...message }) => {
      const frameAt = Math.max(at, toMilliseconds(message.time))
      return { at: frameAt, id: place, step: { ...toAbout(frameAt), frame: toFrame(message, subscriptionId) } }
    }),
  ]
}

/** Browsers and our journal list frames; proxies keep only the text of a stream that has ended. */
function readMessages({ startedDateTime, time, response, _eventStreamMessages: told }: ArchivedEntry) {
  if (told) return told
  const { content } = response
  if (!/^text\/event-stream/i.test(content?.mimeType ?? '')) return undefined
  const messages: ArchivedMessage[] = []
  const end = (Date.parse(startedDateTime) + Math.max(0, time ?? 0)) / 1000
  const { feed } = createParser({
    onEvent: ({ event, id, data }) => messages.push({ time: end, eventName: event, eventId: id, data }),
  })
  feed(`${readContent(content) ?? ''}\n\n`)
  return messages
}

function toAbout(at: number) {
  if (!isClockTime(at)) throw new UnusableEntry(Math.abs(at) <= LAST_DATE ? `time: ${CLOCK_RANGE}` : 'time: no instant')
  return { step: 1, at: new Date(at).toISOString() }
}

function tellEnd({ time, _place: id }: { time: number; _place: number }, subscriptionId: string): Told {
  const at = toMilliseconds(time)
  return { at, id, step: { ...toAbout(at), closed: { subscriptionId } } }
}

function subscriptionOf(path: string): string {
  const [address = ''] = path.split('?', 1)
  const [, subscriptionId = address] = /\/filters\/([^/]+)\/activate$/.exec(address) ?? []
  return subscriptionId
}

function toFrame({ eventName, eventId, data = '' }: ArchivedMessage, subscriptionId: string): CaseFrame {
  const event = eventName || 'message'
  return { subscriptionId, event, ...(eventId && { id: eventId }), data: readFrameData(event, data) }
}

/** An unreadable address has no host, so it is counted as another host's. */
function readAddress(url: string): { host: string; path: string } {
  const [, authority = '', rest = ''] = /^https?:\/\/([^/?#]*)([^#]*)/i.exec(url) ?? []
  const host = authority.replace(/^.*@/, '').replace(/:\d*$/, '').toLowerCase()
  const path = rest.startsWith('/') ? rest : `/${rest}`
  const [, own = path] = /^\/w\/[a-z0-9-]{1,64}(\/.*)$/.exec(path) ?? []
  return { host, path: own }
}
