import type { Bus, BusListener, Notice, PlatformEvent, PublishedEvent, StreamClaim } from '../../ports/bus.ts'
import { createBatches } from '../batches.ts'
import { type EventHistory, toFirstSequence } from '../event-history.ts'
import { EventLog } from './event-log.ts'

const LARGEST = 500
/** Removing each forgotten event by itself would cost more than it frees. */
const MAX_LEFT = 100

/** Callers wait until the message is told. */
interface Message {
  event?: PlatformEvent
  notice?: Notice
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * Sequences begin with the microseconds of `startedAt`, real time in milliseconds: a restart never repeats one, and a
 * client with an older one learns of the gap.
 */
export function createMemoryBus(startedAt: number): Bus {
  return createLocalBus(new EventLog(toFirstSequence(startedAt)))
}

/**
 * Nobody hears of an event before it is kept, and sequences continue after a restart. Where nothing was kept they begin
 * as in `createMemoryBus`.
 */
export async function openKeptBus(history: EventHistory, startedAt: number): Promise<Bus> {
  const log = await readLog(history, startedAt)
  const bus = createLocalBus(log)
  let keptFrom = log.start

  async function keep(messages: readonly Message[]): Promise<void> {
    const events = messages.flatMap(({ event }) => event ?? [])
    const forget = log.start - keptFrom > MAX_LEFT ? log.start : undefined
    await history.append(
      events.map((event, i) => ({ sequence: log.head + 1 + i, event })),
      forget,
    )
    keptFrom = forget ?? keptFrom
  }

  /** Groups run one at a time, since each is numbered behind the last kept event. */
  const add = createBatches<Message>({ lanes: 1, largest: LARGEST }, async (messages) => {
    let failure: { error: unknown } | undefined
    if (messages.some(({ event }) => event)) await keep(messages).catch((error: unknown) => (failure = { error }))
    for (const { event, notice, resolve, reject } of messages) {
      try {
        if (event && failure) throw failure.error
        if (event) await bus.publish(event)
        if (notice) await bus.announce(notice)
        resolve()
      } catch (error) {
        reject(error)
      }
    }
  })
  const tell = (what: { event: PlatformEvent } | { notice: Notice }) =>
    new Promise<void>((resolve, reject) => add({ ...what, resolve, reject }))

  return { ...bus, publish: (event) => tell({ event }), announce: (notice) => tell({ notice }) }
}

async function readLog(history: EventHistory, startedAt: number): Promise<EventLog> {
  let log: EventLog | undefined
  for (let last = -1; ; last = log.head) {
    const slice = await history.readAfter(last)
    if (slice.length === 0) break
    log ??= new EventLog(slice[0]!.sequence - (slice[0]!.event ? 1 : 0))
    for (const { sequence, event } of slice) if (event) log.append({ sequence, ...event })
  }
  if (log) return log
  const start = toFirstSequence(startedAt)
  await history.append([{ sequence: start, event: null }])
  return new EventLog(start)
}

function createLocalBus(log: EventLog): Bus {
  const listeners = new Set<BusListener>()
  const bySubscription = new Map<string, StreamClaim>()
  const byToken = new Map<string, StreamClaim>()

  return {
    async publish(event) {
      const published: PublishedEvent = { sequence: log.head + 1, ...event }
      log.append(published)
      for (const { onEvent } of listeners) onEvent(published)
    },
    async announce(notice) {
      for (const { onNotice } of listeners) onNotice(notice)
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    head: () => log.head,
    history: async (after) => log.after(after),

    findClaim: async (by) =>
      'tokenDigest' in by ? byToken.get(by.tokenDigest) : bySubscription.get(by.subscriptionId),
    async claim(claim) {
      const sameToken = byToken.get(claim.tokenDigest)
      if (sameToken && sameToken.subscriptionId !== claim.subscriptionId) return 'token-in-use'
      const older = bySubscription.get(claim.subscriptionId)
      if (older && older.generation > claim.generation) return 'newer-stream'
      if (older) byToken.delete(older.tokenDigest)
      bySubscription.set(claim.subscriptionId, claim)
      byToken.set(claim.tokenDigest, claim)
      return 'granted'
    },
    async release(claim) {
      if (bySubscription.get(claim.subscriptionId)?.generation !== claim.generation) return
      bySubscription.delete(claim.subscriptionId)
      byToken.delete(claim.tokenDigest)
    },

    isLeader: async () => true,
    withLock: (_task, work) => work(),
    ping: async () => {},
    close: async () => listeners.clear(),
  }
}
