import { Redis } from 'ioredis'
import type { ServerProcess } from '../../../helpers/server-process.ts'
import type { Installation, Where } from '../installation.ts'
import type { Line } from '../line.ts'
import type { PrivateServer } from '../servers.ts'
import { pick } from './clients.ts'

/** What befalls an installation, and how it passes. */
export interface Trouble {
  name: string
  begin(): unknown
  end(): unknown
}

/** The first instance is behind the lines; `instances` changes when one is killed and another takes its place. */
export interface Scene {
  installation: Installation
  instances: ServerProcess[]
  lines: { postgres: Line; redis: Line }
  random: () => number
}

/** An instance that cannot reach its servers in time ends, and is started again, as whoever runs it would. */
export async function startStubbornly(installation: Installation, where?: Where): Promise<ServerProcess> {
  for (let tries = 1; ; tries++) {
    try {
      return await installation.startInstance(where)
    } catch (error) {
      if (tries === 5) throw error
    }
  }
}

export function troublesOf({ installation, instances, lines, random }: Scene): Trouble[] {
  const { postgres, redis } = installation
  let struck = 0
  const cut = (name: string, ...cuts: Line[]): Trouble => ({
    name,
    begin() {
      for (const line of cuts) line.cut()
    },
    end() {
      for (const line of cuts) line.mend()
    },
  })
  const kill = (name: string, server: PrivateServer): Trouble => ({
    name: `${name} killed`,
    begin: () => server.kill(),
    end: () => server.start(),
  })
  const freeze = (name: string, server: PrivateServer): Trouble => ({
    name: `${name} silent`,
    begin: () => server.freeze(),
    end: () => server.thaw(),
  })
  return [
    {
      name: 'an instance killed',
      begin() {
        struck = pick(random, [1, 2])
        return instances[struck]!.stop('SIGKILL')
      },
      async end() {
        instances[struck] = await startStubbornly(installation)
      },
    },
    {
      name: 'an instance stopped',
      begin() {
        struck = pick(random, [0, 1, 2])
        instances[struck]!.process.kill('SIGSTOP')
      },
      end: () => instances[struck]!.process.kill('SIGCONT'),
    },
    cut('an instance cut off from PostgreSQL', lines.postgres),
    cut('an instance cut off from Redis', lines.redis),
    cut('an instance cut off from both', lines.postgres, lines.redis),
    {
      name: 'connections stranded',
      begin() {
        for (const line of [lines.postgres, lines.redis]) line.strand()
      },
      end: () => {},
    },
    kill('PostgreSQL', postgres),
    freeze('PostgreSQL', postgres),
    kill('Redis', redis),
    freeze('Redis', redis),
    { name: 'Redis emptied', begin: () => flush(redis), end: () => {} },
    {
      // What happened meanwhile is lost to its streams, which nobody but the instance can tell them.
      name: 'Redis emptied before an instance has heard',
      begin() {
        struck = pick(random, [0, 1, 2])
        instances[struck]!.process.kill('SIGSTOP')
      },
      async end() {
        await flush(redis)
        instances[struck]!.process.kill('SIGCONT')
      },
    },
  ]
}

async function flush({ url }: PrivateServer): Promise<void> {
  const client = new Redis(url)
  await client.flushall()
  client.disconnect()
}
