import type { Bus, BusListener, Message, Notice, StreamClaim } from '#server/ports/bus.ts'
import { Unavailable } from '#server/ports/failures.ts'
import type { Claims } from './claims.ts'
import type { LogEntry } from './event-log.ts'
import type { PostgresLink } from './link.ts'

const ENTRIES_PER_TRIM = 5000

export interface BusTables {
  world: string
  /** Added to the database's sequence number, which all worlds share, to get the number in this world. */
  base: number
  /** Sequence number of the last entry that was committed before the bus was opened. It is not delivered. */
  position: number
  claims: Claims
  readHistory(range: { after: number; upTo: number }): Promise<{ oldest: number | undefined; entries: LogEntry[] }>
  trim(): Promise<void>
}

export function openPostgresBus(link: PostgresLink, { world, base, position, claims, ...log }: BusTables): Bus {
  const listeners = new Set<BusListener>()
  /** Claims that could not be released yet, each with the name that the instance had when it made the claim. */
  const unreleased = new Map<StreamClaim, string>()
  const names = new WeakMap<StreamClaim, string>()
  let head = position
  let taken = 0

  const tell = (notice: Notice) => {
    for (const { onNotice } of listeners) onNotice(notice)
  }
  const toEvent = (sequence: number, { event }: Extract<Message, { event: unknown }>) => ({
    sequence: base + sequence,
    ...event,
  })
  const unfollow = link.follow(world, position, ({ sequence, payload }) => {
    head = sequence
    const message = JSON.parse(payload) as Message
    if ('notice' in message) tell(message.notice)
    else {
      const event = toEvent(sequence, message)
      for (const { onEvent } of listeners) onEvent(event)
    }
    if (++taken % ENTRIES_PER_TRIM === 0) log.trim().catch(() => {})
  })
  // The lease was lost, so another instance may have taken over the streams.
  const offLost = link.onLost(() => tell({ kind: 'claims-over' }))
  const offBeat = link.onBeat(async () => {
    for (const [claim, name] of unreleased) {
      await claims.release(claim, name)
      unreleased.delete(claim)
    }
  })
  const release = async (claim: StreamClaim, name: string) => {
    unreleased.set(claim, name)
    await claims.release(claim, name).then(
      () => unreleased.delete(claim),
      () => {},
    )
  }

  return {
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    head: () => base + head,
    async history(after) {
      const { oldest = Infinity, entries } = await log.readHistory({ after: after - base, upTo: head })
      const events = entries.flatMap(({ sequence, payload }) => {
        const message = JSON.parse(payload) as Message | null
        return message && 'event' in message ? [toEvent(sequence, message)] : []
      })
      return { events, complete: after - base >= oldest }
    },

    findClaim: claims.find,
    async claim(claim) {
      const name = link.instance
      try {
        const outcome = await claims.claim(claim, name)
        if (outcome !== 'granted') return outcome
        // The notice that ended all streams was sent before this claim existed, so the caller must get an error.
        if (link.instance !== name) throw new Unavailable('this instance has lost its lease')
        names.set(claim, name)
        link.announce(world)
        // The client may send an event ID of another instance, so this one must have read that event.
        await link.catchUp(world)
        return outcome
      } catch (error) {
        // The database may have granted the claim despite the error.
        await release(claim, name)
        throw error
      }
    },
    release: (claim) => release(claim, names.get(claim) ?? link.instance),

    isLeader: (task) => link.tryLock(`${world} ${task}`),
    ping: async () => link.ping(),
    async close() {
      unfollow()
      offLost()
      offBeat()
      listeners.clear()
    },
  }
}
