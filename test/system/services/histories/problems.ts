import type { ServerProcess } from '../../../helpers/server-process.ts'
import type { Installation, Where } from '../installation.ts'
import type { Line } from '../line.ts'
import { pick } from './clients.ts'

/** A failure of the installation, and a function that repairs it. */
export interface Problem {
  name: string
  begin(): unknown
  end(): unknown
}

/**
 * The first instance connects to the database through `line`. If an instance is killed and replaced, `instances`
 * changes.
 */
export interface Scene {
  installation: Installation
  instances: ServerProcess[]
  line: Line
  random: () => number
}

/** If an instance ends because it could not reach the database in time, starts it again, as an operator would. */
export async function startStubbornly(installation: Installation, where?: Where): Promise<ServerProcess> {
  for (let tries = 1; ; tries++) {
    try {
      return await installation.startInstance(where)
    } catch (error) {
      if (tries === 5) throw error
    }
  }
}

export function problemsOf({ installation, instances, line, random }: Scene): Problem[] {
  const { postgres } = installation
  let hits = 0
  return [
    {
      name: 'an instance killed',
      begin() {
        hits = pick(random, [1, 2])
        return instances[hits]!.stop('SIGKILL')
      },
      async end() {
        instances[hits] = await startStubbornly(installation)
      },
    },
    {
      name: 'an instance stopped',
      begin() {
        hits = pick(random, [0, 1, 2])
        instances[hits]!.process.kill('SIGSTOP')
      },
      end: () => instances[hits]!.process.kill('SIGCONT'),
    },
    { name: 'an instance cut off', begin: () => line.cut(), end: () => line.fix() },
    { name: 'connections stranded', begin: () => line.strand(), end: () => {} },
    { name: 'PostgreSQL killed', begin: () => postgres.kill(), end: () => postgres.start() },
    { name: 'PostgreSQL silent', begin: () => postgres.freeze(), end: () => postgres.thaw() },
  ]
}
