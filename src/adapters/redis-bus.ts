import type { Bus, BusListener, History, Notice, PlatformEvent, PublishedEvent } from '../ports/streams.ts'
import { RedisClaims } from './redis-claims.ts'
import type { RedisLink } from './redis-link.ts'
import type { StreamEntry } from './redis-reader.ts'
import { appendScript } from './redis-scripts.ts'

/** Milliseconds to wait at most until this instance has heard what was there when a stream began. */
const CATCH_UP = 1000

export interface RedisBusOptions {
  /** Of the world, as its engine tells them apart. */
  world: string
  /** Sequence before the first event, unless the server knows better. */
  head: number
  /** Sequence to go on from when the server has forgotten everything. */
  next: () => number
}

/** A world's bus over all instances. `forget` takes what the server keeps of it. */
export async function openRedisBus(
  link: RedisLink,
  options: RedisBusOptions,
): Promise<Bus & { forget(): Promise<void> }> {
  const key = `${link.prefix}world:${options.world}:`
  const log = `${key}log`
  const claims = new RedisClaims(link, key)
  const headKey = `${key}head`
  await link.call('SET', headKey, options.head, 'NX')
  let head = Number(await link.call('GET', headKey))
  const listeners = new Set<BusListener>()
  const waiting = new Set<() => void>()

  const unfollow = link.reader.follow(log, `${head}-0`, (entry) => {
    head = sequenceOf(entry.id)
    deliver(entry)
    for (const look of waiting) look()
  })
  // Another instance took a stream over while this one was thought to be gone.
  const unregister = link.whenForgotten(async () => {
    for (const { subscriptionId, generation } of await claims.renew()) {
      tell({ kind: 'stream-taken', subscriptionId, generation: generation + 1 })
    }
  })

  const unlose = link.whenLost(() => tell({ kind: 'claims-over' }))

  function deliver({ id, fields: [kind, text = ''] }: StreamEntry): void {
    if (kind === 'notice') return tell(JSON.parse(text) as Notice)
    const event: PublishedEvent = { ...(JSON.parse(text) as PlatformEvent), sequence: sequenceOf(id) }
    for (const { onEvent } of listeners) onEvent(event)
  }

  function tell(notice: Notice): void {
    for (const { onNotice } of listeners) onNotice(notice)
  }

  async function append(kind: 'event' | 'notice', value: unknown): Promise<void> {
    await link.run(appendScript, [log, headKey], [kind, JSON.stringify(value), options.next()])
  }

  /** A client may show what another instance has sent it: this one must know of it, too. */
  function catchUp(sequence: number): Promise<void> {
    if (head >= sequence) return Promise.resolve()
    return new Promise((resolve) => {
      const done = () => {
        waiting.delete(look)
        clearTimeout(timer)
        resolve()
      }
      const look = () => {
        if (head >= sequence) done()
      }
      const timer = setTimeout(done, CATCH_UP)
      waiting.add(look)
    })
  }

  async function history(after: number): Promise<History> {
    const [first] = (await link.call('XRANGE', log, '-', '+', 'COUNT', 1)) as [string, string[]][]
    const entries = (await link.call('XRANGE', log, `${after + 1}-0`, '+')) as [string, string[]][]
    const oldest = first ? sequenceOf(first[0]) : Number(await link.call('GET', headKey)) + 1
    // What this instance has not heard of yet comes live.
    const heard = entries.filter(([id, [kind]]) => kind === 'event' && sequenceOf(id) <= head)
    const events = heard.map(([id, [, text = '']]): PublishedEvent => {
      return { ...(JSON.parse(text) as PlatformEvent), sequence: sequenceOf(id) }
    })
    return { events, complete: after >= oldest - 1 }
  }

  return {
    publish: (event) => append('event', event),
    announce: (notice) => append('notice', notice),
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    head: () => head,
    history,
    findClaim: (by) => claims.find(by),
    async claim(claim) {
      const { outcome, head: last } = await claims.claim(claim)
      if (outcome === 'granted') await catchUp(last)
      return outcome
    },
    release: (claim) => claims.release(claim),
    ping: async () => void (await link.call('PING')),
    async close() {
      unfollow()
      unregister()
      unlose()
      listeners.clear()
      claims.close()
    },
    async forget() {
      await link.call('DEL', log, ...claims.keys)
    },
  }
}

const sequenceOf = (id: string): number => Number(id.slice(0, id.indexOf('-')))
