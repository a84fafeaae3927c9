import { onTestFinished } from 'vitest'
import { createPostgresEngine } from '../../../src/server/adapters/postgres/engine.ts'
import { systemClock } from '../../../src/server/adapters/node/clock.ts'
import type { Store } from '../../../src/server/ports/store.ts'
import { type ServerProcess, startProcess } from '../../helpers/server-process.ts'
import type { SeparateHost } from './separate-host.ts'
import { type PrivateServer, startPostgres } from './servers.ts'

export const CONTROL_KEY = 'the-key-of-the-instances-in-these-tests'

export interface Installation {
  postgres: PrivateServer
  startInstance(where?: Where): Promise<ServerProcess>
  remove(): Promise<void>
}

export interface Where {
  /** Port of a proxy to the database, if the instance uses one. */
  postgres?: number
  /** Host on which the instance runs. Default: this machine. */
  host?: SeparateHost
  more?: Record<string, string>
}

export async function install(address?: string): Promise<Installation> {
  const postgres = await startPostgres({ address })
  return {
    postgres,
    async startInstance({ postgres: port = postgres.port, host, more } = {}) {
      const settings = {
        DATABASE_URL: postgres.url.replace(`:${postgres.port}`, `:${port}`),
        HEARTBEAT_SECONDS: '1',
        CONTROL_KEY,
        ...(host && { HOST: host.address }),
        ...more,
      }
      const server = await startProcess(settings, { before: host?.before ?? [] })
      onTestFinished(async () => {
        server.process.kill('SIGCONT')
        await server.stop('SIGKILL')
      })
      return server
    },
    remove: () => postgres.remove(),
  }
}

/** Opens the records of the default world directly in the database. */
export async function openRecords({ postgres }: Installation): Promise<Store> {
  const engine = await createPostgresEngine(postgres.url, systemClock)
  onTestFinished(() => engine.close())
  return (await engine.open('default')).store
}

export async function send(method: string, url: string, body?: unknown, headers: Record<string, string> = {}) {
  const reply = await fetch(url, {
    method,
    headers: {
      'x-control-key': CONTROL_KEY,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  return {
    status: reply.status,
    body: (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>,
  }
}

export const readiness = (url: string) => fetch(`${url}/health/ready`).then(({ status }) => status)

export const putSetting = (url: string, name: string, value = '1') =>
  send('PUT', `${url}/_control/records/settings/${name}`, { name, value })
