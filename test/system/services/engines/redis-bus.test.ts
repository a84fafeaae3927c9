import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openRedisBus } from '../../../../src/server/adapters/redis/bus.ts'
import { RedisLink } from '../../../../src/server/adapters/redis/link.ts'
import { Unavailable } from '../../../../src/server/ports/failures.ts'
import { type BusFixture, describeBus, newEvent } from '../../../server/adapters/contract/bus.contract.ts'
import { type PrivateServer, REFUSED_WITHIN, startRedis } from '../servers.ts'

let redis: PrivateServer
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.remove())

let worlds = 0
const START = 1_778_083_200_000_000

async function openLink(): Promise<RedisLink> {
  const link = new RedisLink(redis.url, 'test')
  await link.open()
  return link
}

async function openTwo(): Promise<BusFixture & { links: [RedisLink, RedisLink] }> {
  const options = { world: String(++worlds), head: START, next: () => START * 2 }
  const links: [RedisLink, RedisLink] = [await openLink(), await openLink()]
  const [one, other] = [await openRedisBus(links[0], options), await openRedisBus(links[1], options)]
  return {
    one,
    other,
    links,
    async close() {
      await one.close()
      await other.close()
      for (const link of links) await link.close()
    },
  }
}

describeBus(openTwo)

test('a server that cannot be used is refused with its reason', async () => {
  const link = new RedisLink('redis://127.0.0.1:1', 'test')
  onTestFinished(() => link.close())
  const cause = { message: 'connect ECONNREFUSED 127.0.0.1:1' }
  await expect(link.open()).rejects.toMatchObject({ name: 'Unavailable', cause })
})

test('the claims of an instance that is gone are free', async () => {
  const { one, other, links, close } = await openTwo()
  onTestFinished(close)
  expect(await one.claim({ subscriptionId: 'a', tokenDigest: 't', generation: 3 })).toBe('granted')
  expect(await other.claim({ subscriptionId: 'b', tokenDigest: 't', generation: 1 })).toBe('token-in-use')
  await links[0].close()
  expect(await other.findClaim({ tokenDigest: 't' })).toBeUndefined()
  expect(await other.claim({ subscriptionId: 'b', tokenDigest: 't', generation: 1 })).toBe('granted')
})

test('an instance that was thought to be gone learns what others took, and keeps the rest', async () => {
  const { one, other, links, close } = await openTwo()
  onTestFinished(close)
  const taken: string[] = []
  one.listen({
    onEvent: () => {},
    onNotice: (notice) => notice.kind === 'stream-taken' && taken.push(notice.subscriptionId),
  })
  await one.claim({ subscriptionId: 'a', tokenDigest: 't', generation: 3 })
  await one.claim({ subscriptionId: 'c', tokenDigest: 'v', generation: 1 })
  // As if it had not been heard of for long; a sign of life may come in between.
  const claimAsAfterLong = async () => {
    await links[1].call('DEL', `${links[0].prefix}instance:${links[0].instance}`)
    return other.claim({ subscriptionId: 'b', tokenDigest: 't', generation: 1 })
  }
  await expect.poll(claimAsAfterLong).toBe('granted')
  await expect.poll(() => taken).toEqual(['a'])
  expect(await other.findClaim({ subscriptionId: 'c' })).toMatchObject({ generation: 1 })
})

test('a silent server refuses within 2 seconds; what follows its return is heard once and in order', async () => {
  const { one, other, close } = await openTwo()
  onTestFinished(close)
  const heard: string[] = []
  other.listen({ onEvent: ({ deviceId }) => heard.push(deviceId), onNotice: () => {} })
  await one.publish(newEvent('before'))
  await expect.poll(() => heard).toEqual(['before'])
  redis.freeze()
  onTestFinished(() => redis.thaw())
  const started = performance.now()
  await expect(one.publish(newEvent('never acknowledged'))).rejects.toBeInstanceOf(Unavailable)
  await expect(one.ping()).rejects.toBeInstanceOf(Unavailable)
  expect(performance.now() - started).toBeLessThan(REFUSED_WITHIN)
  redis.thaw()
  await expect.poll(() => one.ping().then(() => 'there', String)).toBe('there')
  await one.publish(newEvent('after'))
  await expect.poll(() => heard.at(-1)).toBe('after')
  expect(new Set(heard).size).toBe(heard.length)
})

test('a server that was killed and has come back goes on where it was', async () => {
  const { one, other, close } = await openTwo()
  onTestFinished(close)
  const heard: string[] = []
  other.listen({ onEvent: ({ deviceId }) => heard.push(deviceId), onNotice: () => {} })
  await one.publish(newEvent('before'))
  await expect.poll(() => heard).toEqual(['before'])
  const last = other.head()
  await redis.kill()
  await expect(one.publish(newEvent('lost'))).rejects.toBeInstanceOf(Unavailable)
  await redis.start()
  await expect.poll(() => one.ping().then(() => 'there', String)).toBe('there')
  await one.publish(newEvent('after'))
  await expect.poll(() => heard).toEqual(['before', 'after'])
  expect((await one.history(last)).events.map(({ deviceId }) => deviceId)).toEqual(['after'])
})
