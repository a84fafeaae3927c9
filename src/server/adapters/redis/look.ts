import { Redis } from 'ioredis'

const PATIENCE = 3000

/** Nothing is changed on the server. */
export async function lookAtRedis(url: string): Promise<{ says: string; now: number }> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: PATIENCE,
    commandTimeout: PATIENCE,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectionName: 'vendor-cloud-doctor',
  })
  let trouble: Error | undefined
  redis.on('error', (error: Error) => (trouble = error))
  try {
    await redis.connect()
    const [, version = 'of an unknown version'] = /redis_version:(\S+)/.exec(await redis.info('server')) ?? []
    const [seconds = '0'] = await redis.time()
    return { says: `Redis ${version} answers`, now: Number(seconds) * 1000 }
  } catch (error) {
    throw trouble ?? error
  } finally {
    redis.disconnect()
  }
}
