import type { Bus, BusListener, StreamClaim } from '../../ports.ts'
import { EventLog } from './event-log.ts'

/**
 * The bus of one process. `startedAt` is real time in milliseconds: sequences begin with its microseconds, so that
 * after a restart none is given again, and a stream that shows an older one is told of the gap.
 */
export function createMemoryBus(startedAt: number): Bus {
  const log = new EventLog(Math.round(startedAt * 1000))
  const listeners = new Set<BusListener>()
  const bySubscription = new Map<string, StreamClaim>()
  const byToken = new Map<string, StreamClaim>()

  return {
    async publish(event) {
      const published = { sequence: log.head + 1, ...event }
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

    leads: async () => true,
    alone: (_task, work) => work(),
    ping: async () => {},
    close: async () => listeners.clear(),
  }
}
