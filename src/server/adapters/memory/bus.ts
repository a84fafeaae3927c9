import type { Bus, BusListener, Message, StreamClaim } from '#server/ports/bus.ts'
import type { EventLog } from './event-log.ts'

export interface MemoryBus extends Bus {
  deliver(messages: readonly Message[]): void
}

export function createMemoryBus(log: EventLog): MemoryBus {
  const listeners = new Set<BusListener>()
  const bySubscription = new Map<string, StreamClaim>()
  const byToken = new Map<string, StreamClaim>()

  const deliver: MemoryBus['deliver'] = (messages) => {
    for (const message of messages) {
      if ('notice' in message) {
        for (const { onNotice } of listeners) onNotice(message.notice)
        continue
      }
      const published = { sequence: log.head + 1, ...message.event }
      log.append(published)
      for (const { onEvent } of listeners) onEvent(published)
    }
  }

  return {
    deliver,
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
      const { subscriptionId, generation } = claim
      if (older && older.generation < generation) {
        deliver([{ notice: { kind: 'stream-taken', subscriptionId, generation } }])
      }
      return 'granted'
    },
    async release(claim) {
      if (bySubscription.get(claim.subscriptionId)?.generation !== claim.generation) return
      bySubscription.delete(claim.subscriptionId)
      byToken.delete(claim.tokenDigest)
    },

    isLeader: async () => true,
    ping: async () => {},
    close: async () => listeners.clear(),
  }
}
