import type { Bus, BusListener, Notice } from '../../ports/bus.ts'
import { RedisClaims } from './claims.ts'
import type { RedisLink } from './link.ts'
import { RedisLog, type RedisLogOptions, toEvent } from './log.ts'
import { RedisTasks } from './tasks.ts'

export interface RedisBusOptions extends RedisLogOptions {
  world: string
}

/** The bus spans all instances. `forget` removes what the server keeps of it. */
export async function openRedisBus(
  link: RedisLink,
  options: RedisBusOptions,
): Promise<Bus & { forget(): Promise<void> }> {
  const key = `${link.prefix}world:${options.world}:`
  const log = new RedisLog(link, key, options)
  const claims = new RedisClaims(link, key)
  const tasks = new RedisTasks(link, key)
  const listeners = new Set<BusListener>()

  const tell = (notice: Notice) => {
    for (const { onNotice } of listeners) onNotice(notice)
  }
  // Streams end before they would show a later event; their clients return and learn of the gap.
  const endStreams = () => tell({ kind: 'claims-over' })
  await log.open((entry) => {
    const [kind, text = ''] = entry.fields
    if (kind === 'notice') tell(JSON.parse(text) as Notice)
    if (kind !== 'event') return
    const event = toEvent(entry)
    for (const { onEvent } of listeners) onEvent(event)
  }, endStreams)
  const unregister = link.whileAlive(async () => {
    await log.mend()
    // Another instance took the stream over while the notice was lost, or this instance was thought gone.
    for (const { subscriptionId, generation } of await claims.keep()) {
      tell({ kind: 'stream-taken', subscriptionId, generation: generation + 1 })
    }
  })

  const unlose = link.whenLost(endStreams)

  return {
    publish: (event) => log.append('event', event),
    announce: (notice) => log.append('notice', notice),
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    head: () => log.head,
    history: (after) => log.history(after),
    findClaim: (by) => claims.find(by),
    async claim(claim) {
      const { outcome, head } = await claims.claim(claim)
      if (outcome !== 'granted') return outcome
      try {
        await log.catchUp(head)
      } catch (error) {
        await claims.release(claim)
        throw error
      }
      return outcome
    },
    release: (claim) => claims.release(claim),
    isLeader: (task) => tasks.isLeader(task),
    withLock: (task, work) => tasks.withLock(task, work),
    ping: () => link.ping(),
    async close() {
      log.close()
      unregister()
      unlose()
      listeners.clear()
    },
    async forget() {
      await link.call('DEL', ...log.keys, tasks.key, ...claims.keys)
    },
  }
}
