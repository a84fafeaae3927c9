import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type RedisBusOptions, openRedisBus } from '../../../../src/server/adapters/redis/bus.ts'
import { RedisLink } from '../../../../src/server/adapters/redis/link.ts'
import { Unavailable } from '../../../../src/server/ports/failures.ts'
import type { Bus } from '../../../../src/server/ports/bus.ts'
import { newEvent } from '../../../server/adapters/contract/bus.contract.ts'
import { type PrivateServer, REFUSED_WITHIN, startRedis } from '../servers.ts'

let redis: PrivateServer
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.remove())

const START = 1_778_083_200_000_000
let worlds = 0

interface Instance {
  bus: Bus
  link: RedisLink
  /** Devices of the events that it has heard of, in order. */
  heard: string[]
  sequences: number[]
  /** Subscriptions whose streams it was told to end. */
  taken: string[]
}

async function openInstance(options: RedisBusOptions): Promise<Instance> {
  const link = new RedisLink(redis.url, 'test')
  await link.open()
  const bus = await openRedisBus(link, options)
  const instance: Instance = { bus, link, heard: [], sequences: [], taken: [] }
  bus.listen({
    onEvent: ({ deviceId, sequence }) => {
      instance.heard.push(deviceId)
      instance.sequences.push(sequence)
    },
    onNotice: (notice) => notice.kind === 'stream-taken' && instance.taken.push(notice.subscriptionId),
  })
  onTestFinished(async () => {
    await bus.close()
    await link.close()
  })
  return instance
}

/** Two instances of one world, and the keys that the server holds of it. */
async function openTwo() {
  const options = { world: `lost-${++worlds}`, head: START, next: () => START * 2 }
  const [one, other] = [await openInstance(options), await openInstance(options)]
  const key = `${one.link.prefix}world:${options.world}:`
  return { one, other, options, log: `${key}log`, head: `${key}head` }
}

const claim = (subscriptionId: string, generation = 1, tokenDigest = 't') => ({
  subscriptionId,
  tokenDigest,
  generation,
})

test('a server that has lost everything numbers on, tells of the gap at once, and gets its claims back', async () => {
  const { one, other } = await openTwo()
  for (const device of ['a', 'b', 'c']) await one.bus.publish(newEvent(device))
  await expect.poll(() => other.heard).toEqual(['a', 'b', 'c'])
  expect(await one.bus.claim(claim('live'))).toBe('granted')
  await one.link.call('FLUSHALL')
  expect((await other.bus.history(one.sequences[1]!)).complete).toBe(false)
  await expect.poll(() => other.bus.findClaim({ tokenDigest: 't' })).toEqual(claim('live'))
  expect(await other.bus.claim(claim('another'))).toBe('token-in-use')
  await other.bus.publish(newEvent('d'))
  for (const instance of [one, other]) {
    await expect.poll(() => instance.heard).toEqual(['a', 'b', 'c', 'd'])
    expect(instance.sequences).toEqual([...new Set(instance.sequences)].sort((x, y) => x - y))
  }
  expect((await one.bus.history(other.sequences[1]!)).complete).toBe(false)
  expect((await one.bus.history(other.sequences[3]!)).complete).toBe(true)
})

test('after a loss streams end before they show what comes then: nobody knows what they did not hear', async () => {
  const { one, other } = await openTwo()
  const order: string[] = []
  other.bus.listen({ onEvent: ({ deviceId }) => order.push(deviceId), onNotice: ({ kind }) => order.push(kind) })
  for (const device of ['a', 'b']) await one.bus.publish(newEvent(device))
  await one.bus.announce({ kind: 'scenario-started', scenarioId: 'a scenario' })
  await expect.poll(() => order).toEqual(['a', 'b', 'scenario-started'])
  await one.link.call('FLUSHALL')
  await one.bus.publish(newEvent('c'))
  await expect.poll(() => order).toEqual(['a', 'b', 'scenario-started', 'claims-over', 'c'])
  await one.bus.publish(newEvent('d'))
  await expect.poll(() => order.slice(5)).toEqual(['d'])
})

test('a server that has come back without the end of its log gives no number again, and hides no event', async () => {
  const { one, other, options, log, head } = await openTwo()
  for (const device of ['a', 'b', 'c', 'd']) await one.bus.publish(newEvent(device))
  await expect.poll(() => other.heard.length).toBe(4)
  // As its last image had it.
  await one.link.call('XTRIM', log, 'MAXLEN', 0)
  await one.link.call('SET', head, one.sequences[1]!)
  const late = await openInstance(options)
  for (const { link } of [one, other]) await link.call('CLIENT', 'KILL', 'TYPE', 'normal').catch(() => {})
  await expect.poll(() => other.bus.ping().then(() => 'there', String)).toBe('there')
  await expect.poll(() => other.bus.history(one.sequences[1]!)).toEqual({ events: [], complete: false })
  await expect.poll(() => late.bus.publish(newEvent('e')).then(() => 'told', String)).toBe('told')
  for (const instance of [one, other]) {
    await expect.poll(() => instance.heard).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(instance.sequences[4]).toBeGreaterThan(instance.sequences[3]!)
  }
})

test.each([0, 1, 2])(
  'a history during which the server loses everything is whole, or says that it is not: %i',
  async (n) => {
    const { one } = await openTwo()
    for (const device of ['a', 'b']) await one.bus.publish(newEvent(device))
    await expect.poll(() => one.heard).toEqual(['a', 'b'])
    const reading = one.bus.history(one.sequences[0]!)
    // Commands of one connection are done in turn, so the loss comes behind so many of the history's.
    for (let i = 0; i < n; i++) await one.link.call('PING')
    await one.link.call('FLUSHALL')
    const { events, complete } = await reading
    if (complete) expect(events.map(({ deviceId }) => deviceId)).toEqual(['b'])
  },
)

test('an instance opens streams though another has begun a lost log anew, and nothing has come since', async () => {
  const { one, options } = await openTwo()
  await one.bus.publish(newEvent('a'))
  await expect.poll(() => one.heard).toEqual(['a'])
  const ended: string[] = []
  one.bus.listen({ onEvent: () => {}, onNotice: ({ kind }) => ended.push(kind) })
  await one.link.call('FLUSHALL')
  const late = await openInstance({ ...options, head: START + 1000 })
  expect(await one.bus.claim(claim('a stream'))).toBe('granted')
  expect([one.bus.head(), ended]).toEqual([START + 1000, ['claims-over']])
  expect((await one.bus.history(one.sequences[0]!)).complete).toBe(false)
  await late.bus.publish(newEvent('b'))
  await expect.poll(() => one.heard).toEqual(['a', 'b'])
  expect((await one.bus.history(START + 1000)).complete).toBe(true)
  expect(ended).toEqual(['claims-over'])
})

test('a stream that another instance has taken over ends, though nobody said so', async () => {
  const { one, other } = await openTwo()
  expect(await one.bus.claim(claim('a', 1))).toBe('granted')
  expect(await other.bus.claim(claim('a', 2))).toBe('granted')
  await expect.poll(() => one.taken).toEqual(['a'])
  expect(other.taken).toEqual([])
  expect(await one.bus.findClaim({ subscriptionId: 'a' })).toEqual(claim('a', 2))
})

test('a place that was left, or asked for, while the server was away does not stay taken', async () => {
  const { one, other } = await openTwo()
  expect(await one.bus.claim(claim('left'))).toBe('granted')
  redis.freeze()
  onTestFinished(() => redis.thaw())
  await one.bus.release(claim('left'))
  await expect(one.bus.claim(claim('asked for', 1, 'u'))).rejects.toBeInstanceOf(Unavailable)
  redis.thaw()
  const take = (id: string, token: string) => () => other.bus.claim(claim(id, 1, token)).catch(String)
  await expect.poll(take('next', 't')).toBe('granted')
  await expect.poll(take('next of u', 'u')).toBe('granted')
})

test('of many instances one leads, and another when it has left', async () => {
  const { one, other } = await openTwo()
  for (let i = 0; i < 2; i++) {
    expect(await one.bus.isLeader('dance')).toBe(true)
    expect(await other.bus.isLeader('dance')).toBe(false)
  }
  // A sign of life may come in between.
  const leadsAsAfterLong = async () => {
    await one.link.call('DEL', `${one.link.prefix}instance:${one.link.instance}`)
    return other.bus.isLeader('dance')
  }
  await expect.poll(leadsAsAfterLong).toBe(true)
  expect(await one.bus.isLeader('dance')).toBe(false)
})

test('what is done alone is done by one at a time, and nobody waits long', async () => {
  const { one, other } = await openTwo()
  let busy = 0
  const work = async () => {
    expect(++busy).toBe(1)
    await other.link.call('PING')
    busy--
  }
  await Promise.all([one, other, one, other].map(({ bus }) => bus.withLock('dance', work)))
  let finish = () => {}
  let stuck: Promise<void> | undefined
  await new Promise<void>((begun) => {
    stuck = one.bus.withLock('dance', () => {
      begun()
      return new Promise((resolve) => (finish = resolve))
    })
  })
  const started = performance.now()
  await expect(other.bus.withLock('dance', work)).rejects.toBeInstanceOf(Unavailable)
  expect(performance.now() - started).toBeLessThan(REFUSED_WITHIN)
  finish()
  await stuck
})
