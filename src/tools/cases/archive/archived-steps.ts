import { readFrameData } from '../../../contract/cases/frame-data.ts'
import { createParser } from 'eventsource-parser'
import type { ArchivedEntry, ArchivedMessage, HttpArchive } from '../../../contract/cases/http-archive.ts'
import type { CaseFrame, CaseStep } from '../../../contract/records/control/case.ts'
import { readContent, type ToCaseBody, toCall, toReply } from './archived-call.ts'

export interface ArchiveRules {
  toCaseBody: ToCaseBody
  /** Whether calls to that host (without its port) and path are the vendor's. */
  takes(host: string, method: string, path: string): boolean
}

export interface ArchivedSteps {
  steps: CaseStep[]
  /** Entries that were left out, by their host. */
  left: Map<string, number>
}

interface Told {
  /** Milliseconds since 1970. */
  at: number
  /** Its place, where the file tells it. */
  id: number | undefined
  step: CaseStep
}

/** The entries of an archive as steps of a case, those of other hosts left out, in their order of time. */
export function toSteps({ log: { entries } }: HttpArchive, rules: ArchiveRules): ArchivedSteps {
  const told: Told[] = []
  const left = new Map<string, number>()
  for (const entry of entries) {
    const { method, url } = entry.request
    const { host, path } = readAddress(url)
    if (!rules.takes(host, method, path)) left.set(host, (left.get(host) ?? 0) + 1)
    else told.push(...tell(entry, path, rules.toCaseBody))
  }
  const hasPlaces = told.every(({ id }) => id !== undefined)
  const sorted = told.toSorted((a, b) => (hasPlaces ? a.id! - b.id! : a.at - b.at || rankOf(a) - rankOf(b)))
  return { steps: sorted.map(({ step }, i) => ({ ...step, step: i + 1 })), left }
}

/** Of one instant the call comes first: a frame may come of it. */
function rankOf({ step }: Told): number {
  return 'frame' in step ? 1 : 0
}

/** A call, and the frames of its stream. */
function tell(entry: ArchivedEntry, path: string, toCaseBody: ToCaseBody): Told[] {
  const { startedDateTime, request, response, _id: id } = entry
  const at = Date.parse(startedDateTime)
  const reply = toReply(response, request.method.toUpperCase())
  const messages = readMessages(entry)
  const call = toCall(request, path, toCaseBody)
  const step = { ...toAbout(at), call, reply: messages && reply.status === 200 ? { ...reply, body: '' } : reply }
  return [
    { at, id, step },
    ...(messages ?? []).map(({ _id: place, ...message }) => {
      const frameAt = Math.max(at, Math.floor(message.time * 1000))
      return { at: frameAt, id: place, step: { ...toAbout(frameAt), frame: toFrame(message, path) } }
    }),
  ]
}

/** As browsers and our journal tell them, or out of the text that proxies keep of a stream when it has ended. */
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

const toAbout = (at: number) => ({ step: 1, at: new Date(at).toISOString() })

function toFrame({ eventName, eventId, data = '' }: ArchivedMessage, path: string): CaseFrame {
  const [address = ''] = path.split('?', 1)
  const [, subscriptionId = address] = /\/filters\/([^/]+)\/activate$/.exec(address) ?? []
  const event = eventName || 'message'
  return { subscriptionId, event, ...(eventId && { id: eventId }), data: readFrameData(event, data) }
}

/** The path as it was sent, without a world's prefix; an address that is none has no host. */
function readAddress(url: string): { host: string; path: string } {
  const [, authority = '', rest = ''] = /^https?:\/\/([^/?#]*)([^#]*)/i.exec(url) ?? []
  const host = authority.replace(/^.*@/, '').replace(/:\d*$/, '').toLowerCase()
  const path = rest.startsWith('/') ? rest : `/${rest}`
  const [, own = path] = /^\/w\/[a-z0-9-]{1,64}(\/.*)$/.exec(path) ?? []
  return { host, path: own }
}
