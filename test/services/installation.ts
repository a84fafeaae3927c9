import { onTestFinished } from 'vitest'
import { createPostgresEngine } from '../../src/adapters/postgres-engine.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import type { Store } from '../../src/ports.ts'
import { type ServerProcess, startProcess } from '../helpers/server-process.ts'
import { type PrivateServer, startPostgres, startRedis } from './servers.ts'

/** A database and a message server, and instances that share them. */
export interface Installation {
  postgres: PrivateServer
  redis: PrivateServer
  /** Starts an instance; it ends with the test. Ports stand for lines to the two servers. */
  startInstance(ports?: { postgres?: number; redis?: number }): Promise<ServerProcess>
  remove(): Promise<void>
}

export async function install(): Promise<Installation> {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  return {
    postgres,
    redis,
    async startInstance(ports = {}) {
      const via = ({ url, port }: PrivateServer, other = port) => url.replace(`:${port}`, `:${other}`)
      const server = await startProcess({
        DATABASE_URL: via(postgres, ports.postgres),
        REDIS_URL: via(redis, ports.redis),
        HEARTBEAT_SECONDS: '1',
      })
      onTestFinished(async () => {
        server.process.kill('SIGCONT')
        await server.stop('SIGKILL')
      })
      return server
    },
    async remove() {
      await postgres.remove()
      await redis.remove()
    },
  }
}

/** The default world's records, past the instances. */
export async function openRecords({ postgres }: Installation): Promise<Store> {
  const engine = await createPostgresEngine(postgres.url, systemClock)
  onTestFinished(() => engine.close())
  return (await engine.open('default')).store
}

export async function send(method: string, url: string, body?: unknown, headers: Record<string, string> = {}) {
  const reply = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  return {
    status: reply.status,
    body: (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>,
  }
}

export const putSetting = (url: string, name: string, value = '1') =>
  send('PUT', `${url}/_control/records/settings/${name}`, { name, value })
