import { Redis } from 'ioredis'
import type { ServerProcess } from '../../helpers/server-process.ts'
import type { Installation } from '../installation.ts'
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
        instances[struck] = await installation.startInstance()
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
  ]
}

async function flush({ url }: PrivateServer): Promise<void> {
  const client = new Redis(url)
  await client.flushall()
  client.disconnect()
}
