import type { Ports } from '#server/ports.ts'
import type { PublishedEvent, StreamClaim } from '#server/ports/bus.ts'
import type { AccessToken } from '#contract/records/events/access-token.ts'
import type { Chaos, StreamDescription } from '#contract/records/events/stream.ts'
import type { Subscription } from '#contract/records/events/subscription.ts'
import { DomainError, notFound } from '../errors.ts'
import { createMatcher } from './event-matching.ts'
import { type StreamPass, requireStreamAccess, unknownStream } from './stream-access.ts'

export interface Admission {
  subscription: Subscription
  token: AccessToken
  claim: StreamClaim
  /** `unknown` if the client sent an ID that the server has never issued. Undefined if the client sent no ID. */
  seen: number | 'unknown' | undefined
  tookOver: boolean
}

/** Maximum number of events in the history, and their maximum age in milliseconds. */
const HISTORY_EVENTS = 1000
const HISTORY_AGE = 10 * 60 * 1000

/**
 * Document 2, section 8, allows one stream per user and token. Returns undefined for a replaced client that reconnects,
 * because two clients would replace each other again and again.
 */
export async function admitStream(
  ports: Ports,
  pass: StreamPass & { lastEventId?: string | undefined },
): Promise<Admission | undefined> {
  const { subscription: found, token } = await requireStreamAccess(ports, pass)
  const { subscriptionId } = found
  const shown = readEventId(pass.lastEventId)
  const live = await ports.bus.findClaim({ subscriptionId })
  if (live && shown !== 'unknown' && shown && shown.generation < live.generation) return undefined

  const { tokenDigest } = token
  const other = await ports.bus.findClaim({ tokenDigest })
  if (other && other.subscriptionId !== subscriptionId) throw tokenInUse()

  const subscription = await beginGeneration(ports, subscriptionId)
  const claim = { subscriptionId, tokenDigest, generation: subscription.generation }
  const outcome = await ports.bus.claim(claim)
  if (outcome === 'token-in-use') throw tokenInUse()
  if (outcome === 'newer-stream') return undefined
  const seen = shown && placeOf(shown, claim.generation, ports.bus.head())
  return { subscription, token, claim, seen, tookOver: live !== undefined }
}

/** Returns the missed events that match the current filters, in order. `gap` is true if some missed events are lost. */
export async function findMissed(
  { bus, clock }: Ports,
  { subscription, seen }: Admission,
): Promise<{ events: readonly PublishedEvent[]; gap: boolean }> {
  if (seen === undefined) return { events: [], gap: false }
  if (seen === 'unknown') return { events: [], gap: true }
  const { events, complete } = await bus.history(seen)
  const wanted = events.filter(createMatcher(subscription))
  const oldest = clock.now() - HISTORY_AGE
  const recent = wanted.slice(-HISTORY_EVENTS)
  // If the clock was set back, only events after the last outdated one count, and the client gets a gap event.
  const kept = recent.slice(recent.findLastIndex(({ envelope }) => envelope.eventTime < oldest) + 1)
  return { events: kept, gap: !complete || kept.length < wanted.length }
}

export async function leaveStream({ bus, store, clock, world }: Ports, claim: StreamClaim): Promise<void> {
  await bus.release(claim)
  if (world.subscriptionTtl === undefined) return
  const usedAt = new Date(clock.now()).toISOString()
  await store.transaction(async (tx) => {
    const subscription = await tx.subscriptions.get(claim.subscriptionId)
    if (subscription) await tx.subscriptions.put({ ...subscription, usedAt })
  })
}

export function listStreams({ streams }: Ports): StreamDescription[] {
  return streams.list().map((stream) => stream.describe())
}

export function injectStreamFault({ streams }: Ports, subscriptionId: string, chaos: Chaos): void {
  const stream = streams.find(subscriptionId)
  const hint = 'GET /_control/streams lists the open streams'
  if (!stream) throw notFound('this subscription has no open stream', 'our choice: control-refusals', hint)
  stream.injectFault(chaos)
}

async function beginGeneration({ store, clock }: Ports, subscriptionId: string): Promise<Subscription> {
  const usedAt = new Date(clock.now()).toISOString()
  return store.transaction(async (tx) => {
    const current = await tx.subscriptions.get(subscriptionId)
    if (!current) throw unknownStream()
    const next = { ...current, generation: current.generation + 1, usedAt }
    await tx.subscriptions.put(next)
    return next
  })
}

function tokenInUse(): DomainError {
  const message = 'another subscription of this user and token has an open stream. Close or delete it'
  const found = {
    code: 'LimitExceeded',
    message: 'one stream per user and token',
    target: 'header.authorization',
    source: 'document 2, section 8',
  } as const
  return new DomainError('conflict', message, { findings: [found], source: 'our choice: one-stream' })
}

interface EventId {
  generation: number
  sequence: number
}

/** Returns `unknown` if the server cannot have issued the event ID. */
function placeOf(shown: EventId | 'unknown', generation: number, head: number): number | 'unknown' {
  const isOurs = shown !== 'unknown' && shown.generation < generation && shown.sequence <= head
  return isOurs ? shown.sequence : 'unknown'
}

function readEventId(text = ''): EventId | 'unknown' | undefined {
  if (text === '') return undefined
  const [, generation, sequence] = /^(\d{1,15})-(\d{1,16})$/.exec(text) ?? []
  return generation && sequence ? { generation: Number(generation), sequence: Number(sequence) } : 'unknown'
}
