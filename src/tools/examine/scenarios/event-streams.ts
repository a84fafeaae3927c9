import type { JournalEntry } from '../../control-client/types.ts'
import type { VendorCloudWorld } from '../../control-client/world.ts'
import { type Chapter, type Check, header, isEvidence, type Transcript, some, type Verdict } from '../check.ts'
import { SCRIPT, type Session } from '../session.ts'
import { creations, opens } from './events-always.ts'

const LIGHT = 'aaaaaaaa-0000-4000-8000-000000000001'
export const TOKEN = 'token-home'
/** Milliseconds that the worlds ask their clients to wait. */
export const RETRY = 600

export const task =
  'Make a subscription to all locations of VENDOR_CLOUD_TOKEN (POST /subscriptions), open its registrationUrl, and ' +
  'follow the stream until you are ended.'

export async function emit({ events }: VendorCloudWorld, value: string): Promise<void> {
  await events.emit(LIGHT, { capability: 'switch', attribute: 'switch', value, force: true })
}

/** Once the client has opened a stream and seen three events. */
export function onStream(act: (session: Session, subscriptionId: string) => Promise<unknown>): Chapter[number]['play'] {
  return async (session) => {
    const stream = await session.stream()
    if (!stream) return
    for (const value of ['on', 'off', 'on']) await emit(session.world, value)
    await session.until({ path: '*', operation: 'stream' }, { count: 1 })
    await session.pause(150)
    await session.settle()
    await session.mark('disturbed')
    await act(session, stream.subscriptionId)
  }
}

/**
 * The ids that a client may have had last: of the last frame, and where lines end with CR of the one before, since
 * whoever waits for the LF of a CRLF has the last one only with the next byte.
 */
export function lastIdsBefore(transcript: Transcript, mark: string): (string | undefined)[] {
  const before = transcript.before(mark)
  const ids = before.frames().flatMap(({ frame }) => frame?.id ?? [])
  const [opened] = opens(before)
  return ids.length === 0 ? [undefined] : ids.slice(opened?.variation?.includes('sse-line-ends') ? -2 : -1)
}

/** The id that a client shows as the last that it had. */
export function shownBy(entry: JournalEntry): string | undefined {
  return header(entry, 'last-event-id') ?? new URLSearchParams(entry.query ?? '').get('lastEventId') ?? undefined
}

/** Whether the client is back from what the script did behind a mark, with the last event that it had before. */
export function resumesFrom(mark: string): Check['judge'] {
  return (transcript) => {
    const later = transcript.after(mark)
    const [back] = opens(later)
    if (back) return lastIdsBefore(transcript, mark).includes(shownBy(back)) ? 'passed' : [back]
    const instead = later.requests()
    if (isEvidence(instead)) return instead
    const before = opens(transcript).length > 0 ? opens(transcript) : transcript.requests()
    return isEvidence(before) ? before : 'not met'
  }
}

export const resumes = resumesFrom('disturbed')

export function comesBack(transcript: Transcript): Verdict {
  return opens(transcript).length === 0 ? 'not met' : some(opens(transcript.after('disturbed')), opens(transcript))
}

export function makesAnew(transcript: Transcript): Verdict {
  if (opens(transcript).length === 0) return 'not met'
  const later = transcript.after('disturbed')
  const anew = creations(later).filter(({ status }) => status === 200)
  return some(anew, later.requests().length > 0 ? later.requests() : opens(transcript))
}

/** Another client opens the stream: what was sent on the older one is read before its end. Gives what hangs up. */
export async function takeOver({ world }: Session, subscriptionId: string): Promise<() => Promise<void>> {
  const newer = new AbortController()
  const stream = await world.fetch(`/filters/${subscriptionId}/activate?filterRegion=local`, {
    headers: { authorization: `Bearer ${TOKEN}`, 'user-agent': SCRIPT },
    signal: newer.signal,
  })
  return async () => {
    newer.abort()
    await stream.body?.cancel().catch(() => {})
  }
}

/** Cuts the stream in some way, and waits until the client is there again. */
export function cut(
  name: string,
  disturb: (session: Session, subscriptionId: string) => Promise<unknown>,
  check: Omit<Check, 'judge'> & Partial<Check>,
): Chapter[number] {
  return {
    name: `events-${name}`,
    task,
    play: onStream(async (session, subscriptionId) => {
      await disturb(session, subscriptionId)
      await comeBack(session, 'disturbed')
    }),
    checks: [{ judge: resumes, ...check }],
  }
}

/** The next event breaks off. */
export async function breakOff(session: Session, subscriptionId: string, at: 'middle' | 'id'): Promise<void> {
  await session.disturb(subscriptionId, { action: 'truncate', at })
  await emit(session.world, 'off')
}

/** Whether the client has a stream again. */
export async function comeBack(session: Session, after: string): Promise<boolean> {
  const isBack = await session.until({ operation: 'stream', method: 'GET', status: 200 }, { after })
  await session.pause(50)
  return isBack
}

/** Up to the first that opened: what comes behind it is another stream. */
export function untilOpen(tries: readonly JournalEntry[]): readonly JournalEntry[] {
  const first = tries.findIndex(({ status }) => status === 200)
  return first < 0 ? tries : tries.slice(0, first + 1)
}

export const drop = (session: Session, subscriptionId: string) => session.disturb(subscriptionId, { action: 'drop' })
